import { type Atelier, AtelierError, createAtelier } from "@atelier/node"

/** One service in the process, also where development loads this module again with each change. */
const kept = globalThis as { atelier?: Promise<Atelier> }

export const atelier = (): Promise<Atelier> => {
  kept.atelier ??= createAtelier({ database: process.env["ATELIER_DATABASE"] ?? "sqlite:./data/atelier.db" })
  return kept.atelier
}

/** Refusals become answers; everything else is the application's own business. */
export const answering =
  <Context>(handler: (request: Request, context: Context) => Promise<Response>) =>
  async (request: Request, context: Context): Promise<Response> => {
    try {
      return await handler(request, context)
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error
      const status = error.retryable ? 503 : error.code.endsWith("not_found") ? 404 : 400
      const { code, message, param, retryAfter } = error
      const headers: Record<string, string> =
        retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
      return Response.json({ code, message, param }, { status, headers })
    }
  }
