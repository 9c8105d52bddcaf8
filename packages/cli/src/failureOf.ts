import { AtelierError, TaskFailedError } from "@atelier/client"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"

/** What an error of the client means for the user of a command, and for its exit code. */
export const failureOf = (error: unknown, url: string): CommandFailed => {
  if (error instanceof CommandFailed) return error
  if (!(error instanceof AtelierError)) {
    return new CommandFailed({ message: error instanceof Error ? error.message : String(error) })
  }
  if (error instanceof TaskFailedError) {
    const { id } = error.task
    const message = `${id} failed: ${error.message} (${error.code}); its fee was given back`
    return new CommandFailed({ message, exitCode: exitCodes.failed })
  }
  const message = `${sentence(error, url)}${going(error)}`
  return new CommandFailed({ message, exitCode: kindOf(error) })
}

/** The client's own complaints are about what the user gave; an answer without the API's shape is none of the service. */
const kindOf = ({ code, status }: AtelierError): number => {
  if (code === "invalid_argument") return exitCodes.usage
  if (code === "unexpected_answer" || code === "redirected") return exitCodes.unreachable
  return status !== undefined && status < 500 ? exitCodes.refused : exitCodes.unreachable
}

const sentence = (error: AtelierError, url: string): string => {
  if (error.code === "connection_failed") return `${url} does not answer: ${reasonOf(error.cause)}`
  if (error.code === "invalid_argument") return error.message
  const where = error.requestId === undefined ? "" : `, ${error.requestId}`
  return `${error.status === undefined ? `${url}: ` : ""}${error.message} (${error.code}${where})`
}

/** How the user goes on where the service may have accepted, or has accepted, something that costs money. */
const going = (error: AtelierError): string => {
  const { taskId, idempotencyKey } = error
  if (kindOf(error) !== exitCodes.unreachable) return ""
  if (taskId !== undefined) return `; the task goes on: atelier tasks watch ${taskId}`
  if (idempotencyKey === undefined) return ""
  return `; whether it was accepted is unknown, the same command does not pay twice with --idempotency-key ${idempotencyKey}`
}

/** The code of the system where there is one: `ECONNREFUSED`. */
export const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error ? cause.cause : undefined
  if (typeof inner === "object" && inner !== null && "code" in inner) return String(inner.code)
  if (inner instanceof Error) return inner.message
  return cause instanceof Error ? cause.message : String(cause)
}
