import { answering, atelier } from "../../../lib/atelier.ts"

/** Addresses of pictures in a task are paths below /media. */
export const GET = answering(async (request) => {
  const image = await (await atelier()).images.read(new URL(request.url).pathname)
  if (image === undefined) return new Response(null, { status: 404 })
  return new Response(Buffer.from(image.data), { headers: { "content-type": image.contentType } })
})
