import * as Cause from "effect/Cause"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { LogEntry } from "./Options.ts"

const levels: { readonly [level: string]: LogEntry["level"] } = {
  All: "debug",
  Trace: "debug",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error",
}

const entryOf = ({ cause, fiber, logLevel, message }: Logger.Options<unknown>): LogEntry => {
  const parts = Array.isArray(message) ? message : [message]
  const objects = parts.filter((part): part is object => typeof part === "object" && part !== null)
  const entry = {
    level: levels[logLevel] ?? "info",
    message: parts
      .filter((part) => typeof part !== "object")
      .map(String)
      .join(" "),
    annotations: Object.assign({}, fiber.getRef(References.CurrentLogAnnotations), ...objects),
  }
  return cause.reasons.length === 0 ? entry : { ...entry, cause: Cause.pretty(cause) }
}

const toStandardError = (entry: LogEntry): void => {
  if (entry.level !== "warn" && entry.level !== "error") return
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`)
}

/** The service's log, as the application takes it. */
export const loggerLayer = (log: (entry: LogEntry) => void = toStandardError): Layer.Layer<never> =>
  Logger.layer([Logger.make((options) => log(entryOf(options)))])
