import { statSync } from "node:fs"
import type { CatalogOverrides } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { ConfigFile } from "./ConfigFile.ts"
import { requireKnownOverrides } from "./requireKnownOverrides.ts"
import { readConfig, type Settings } from "./Settings.ts"

const lookEvery = "500 millis"

/** Overrides as the configuration file has them now. */
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
 * Takes over what `tools` and `models` of the configuration file say while the server runs (document-tools 9.4);
 * everything else of it needs a restart. A file that would refuse the start changes nothing, and the log says why.
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

/** What changes with the file; the same while there is none that can be looked at. */
const stampOf = (path: string): string => {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ""
  }
}
