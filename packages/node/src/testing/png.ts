import { crc32, deflateSync } from "node:zlib"

const chunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

const made = new Map<string, Uint8Array>()

/** A white PNG of a size, of one bit a pixel. */
export const whitePng = (width: number, height: number): Uint8Array => {
  const known = made.get(`${width}x${height}`)
  if (known !== undefined) return known
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(1, 8)
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff)
  row[0] = 0
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from("89504e470d0a1a0a", "hex")
  const parts = [signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]
  const png = new Uint8Array(Buffer.concat(parts))
  made.set(`${width}x${height}`, png)
  return png
}
