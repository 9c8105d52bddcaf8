import { statSync } from "node:fs"
import type { CatalogOverrides } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { ConfigFile } from "./ConfigFile.ts"
import { requireKnownOverrides } from "./requireKnownOverrides.ts"
import { readConfig, type Settings } from "./Settings.ts"

const lookEvery = "500 millis"

/** The overrides currently in the configuration file. */
export class FileOverrides implements CatalogOverrides {
  tools: CatalogOverrides["tools"] = {}
  models: CatalogOverrides["models"] = {}

  constructor(config: ConfigFile) {
    this.take(config)
  }

  take({ tools = {}, models = {} }: ConfigFile): void {
    this.tools = tools
    this.models = models
  }
}

/**
 * Applies changes of `tools` and `models` in the configuration file while the server runs (document-tools 9.4);
 * everything else needs a restart. A file that would refuse the start changes nothing, and the log says why.
 */
export const followConfig = (settings: Settings, overrides: FileOverrides) => {
  let seen = stampOf(settings.configFile.path)
  const look = Effect.gen(function* () {
    const now = stampOf(settings.configFile.path)
    if (now === seen) return
    seen = now
    const config = yield* readConfig(settings.configFile)
    yield* requireKnownOverrides(config)
    overrides.take(config)
    yield* Effect.logInfo("the configuration file changed; its tools and models are in force")
  }).pipe(
    Effect.catchTag("SettingError", ({ message }) =>
      Effect.logError(`the changed configuration file is not in force: ${message}`),
    ),
  )
  return Layer.effectDiscard(Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookEvery))))
}

/** A value that changes with the file; constant while the file cannot be read. */
const stampOf = (path: string): string => {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ""
  }
}
