import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { atelier } from "./Commands.ts"
import { exitCode } from "./exitCode.ts"
import { version } from "./version.ts"

/** A usage error is one line, like every other error; `--help` prints the full help. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          `atelier: ${event.errors.map(oneLine).join("; ")} (see: ${event.commandPath.join(" ")} --help)`,
        )
      : CliOutput.defaultPresenter.present(event),
}

const oneLine = ({ message }: { readonly message: string }): string => message.replace(/\s*\n\s*/g, " ")

/** Runs the command that the arguments name; the number is the exit code. */
export const program = (args: ReadonlyArray<string>): Promise<number> =>
  exitCode(
    Effect.provide(Command.runWith(atelier, { version: version() })(args), [
      NodeServices.layer,
      CliOutput.layerPresenter(presenter),
    ]),
  )
