import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { wrongUsage } from "./CommandFailed.ts"

/** An address, and the API key that was checked there. */
export interface Login {
  readonly url: string
  readonly apiKey: string
}

/** The flags that every caller's command has. */
export interface Target {
  readonly url: Option.Option<string>
  readonly key: Option.Option<string>
}

const File = Schema.fromJsonString(Schema.Struct({ url: Schema.String, api_key: Schema.String }))
const decodeFile = Schema.decodeUnknownOption(File)

export const defaultUrl = "http://127.0.0.1:8787"

/** Where `atelier login` keeps the address and the key (XDG Base Directory Specification). */
export const loginFile = (): string => {
  const { XDG_CONFIG_HOME: configured } = process.env
  const folder = configured && isAbsolute(configured) ? configured : join(homedir(), ".config")
  return join(folder, "atelier", "login.json")
}

const readLogin = (): Login | undefined => {
  const file = loginFile()
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch {
    return undefined
  }
  const found = decodeFile(text)
  if (Option.isNone(found)) throw wrongUsage(`${file} is not what atelier login writes: log in again`)
  return { url: found.value.url, apiKey: found.value.api_key }
}

/** Whole or not at all, for this account alone. */
export const keepLogin = ({ url, apiKey }: Login): void => {
  const file = loginFile()
  const arriving = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(arriving, `${JSON.stringify({ url, api_key: apiKey })}\n`, { mode: 0o600 })
    renameSync(arriving, file)
  } catch (cause) {
    throw wrongUsage(`cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Whether there was one. */
export const removeLogin = (): boolean => {
  const isThere = existsSync(loginFile())
  rmSync(loginFile(), { force: true })
  return isThere
}

/** The flag, else the variable. */
export const given = (flag: Option.Option<string>, variable: string): string | undefined =>
  Option.getOrUndefined(flag) ?? (process.env[variable] || undefined)

/** A server's address without `/v1` and a slash at its end; refuses what is none. */
export const addressOf = (text: string): string => webAddress(text).replace(/\/+$/, "").replace(/\/v1$/, "")

/** Refuses what is no address of the web. */
export const webAddress = (text: string): string => {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text
  throw wrongUsage(`expected an http:// or https:// address, got ${JSON.stringify(text)}`)
}

/**
 * The server and the key that a command uses: flags, else ATELIER_URL and ATELIER_API_KEY, else what `atelier login`
 * kept. A kept key is sent to no other address than the one that it was checked at.
 */
export const resolve = (target: Target): Login => {
  const url = given(target.url, "ATELIER_URL")
  const apiKey = given(target.key, "ATELIER_API_KEY")
  if (url !== undefined && apiKey !== undefined) return { url: addressOf(url), apiKey }
  const kept = readLogin()
  const address = addressOf(url ?? kept?.url ?? defaultUrl)
  if (apiKey !== undefined) return { url: address, apiKey }
  if (kept === undefined) throw wrongUsage("expected an API key: atelier login, --key or ATELIER_API_KEY")
  if (address === kept.url) return kept
  throw wrongUsage(`the login is for ${kept.url}; expected a key for ${address} in --key or ATELIER_API_KEY`)
}
