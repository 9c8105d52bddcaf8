import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Only the admin API gets it. */
const name = "atelier_session"
const path = "/admin/v1"

/** Marks the requests of the console's own pages: a page of another origin cannot send it, nor a form or a link. */
const marker = "x-atelier-console"

/** `SameSite=Strict` and the marker each keep other sites from using the cookie; no script can read it. */
export const sessionCookie = (secret: string, seconds: number, publicUrl: string): string =>
  [
    `${name}=${secret}`,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${Math.max(0, Math.floor(seconds))}`,
    ...(new URL(publicUrl).protocol === "https:" ? ["Secure"] : []),
  ].join("; ")

/** The secret of the session that a page of the console sent; undefined where the cookie must not count. */
export const sessionOf = ({ headers, cookies }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const site = headers["sec-fetch-site"]
  const isOwn = headers[marker] === "1" && (site === undefined || site === "same-origin")
  const secret = isOwn ? cookies[name] : undefined
  return secret === "" ? undefined : secret
}
