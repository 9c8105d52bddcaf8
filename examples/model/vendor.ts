import { crc32, deflateSync } from "node:zlib"

/** An error that the vendor reports: a refused prompt, or an order that it certainly did not accept. */
export class VendorFault extends Error {
  readonly reason: "rejected" | "unavailable"
  constructor(reason: "rejected" | "unavailable", message: string) {
    super(message)
    this.reason = reason
  }
}

interface Order {
  readonly clientKey: string
  readonly prompt: string
  readonly edge: number
  readonly n: number
}

/** The vendor's API, as a client library would give it. */
export interface Vendor {
  readonly order: (order: Order) => Promise<string>
  readonly status: (
    id: string,
  ) => Promise<
    | { readonly done: false; readonly percent: number }
    | { readonly done: true; readonly pictures: ReadonlyArray<Uint8Array> }
  >
}

/** A vendor in this process: an order is done when it is polled for the second time. */
export const makeVendor = (): Vendor => {
  const orders = new Map<string, { readonly order: Order; asked: number }>()
  return {
    order: async (order) => {
      if (order.prompt.includes("beige")) throw new VendorFault("rejected", "There is no beige here.")
      if (!orders.has(order.clientKey)) orders.set(order.clientKey, { order, asked: 0 })
      return order.clientKey
    },
    status: async (id) => {
      const found = orders.get(id)
      if (found === undefined) throw new VendorFault("unavailable", "There is no such order.")
      found.asked += 1
      if (found.asked < 2) return { done: false, percent: 50 }
      const { n, edge, prompt } = found.order
      return { done: true, pictures: Array.from({ length: n }, (_, index) => swatch(edge, prompt, index)) }
    },
  }
}

/** A square PNG of one colour, which follows from the prompt. */
const swatch = (edge: number, prompt: string, index: number): Uint8Array => {
  const colour = Buffer.alloc(4)
  colour.writeUInt32BE(crc32(`${prompt} ${index}`))
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: edge }, () => colour.subarray(0, 3))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(edge, 0)
  header.writeUInt32BE(edge, 4)
  header.set([8, 2], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: edge }, () => row)))
  const signature = Buffer.from("89504e470d0a1a0a", "hex")
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
