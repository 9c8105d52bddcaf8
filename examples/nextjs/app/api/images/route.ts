import { Atelier } from "@atelier/client"

const atelier = new Atelier() // the key stays here, on the server

/** Submits, and answers the task's id at once. */
export const POST = async (request: Request): Promise<Response> => {
  const { prompt, order }: { prompt: string; order: string } = Object(await request.json())
  const image = { model: "gen-image-2", prompt, size: "1200x672" }
  const { id } = await atelier.images.submit(image, { idempotencyKey: order })
  return Response.json({ id })
}
