import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { imageTypeOf, readImageHeader, signatureBytes } from "../../src/http/ImageHeader.ts"
import { sampleBytes, samples } from "./samples.ts"

const jpegWith = (...segments: ReadonlyArray<ReadonlyArray<number>>) =>
  Uint8Array.from([0xff, 0xd8, ...segments.flat()])
const frame = [0xff, 0xc0, 0x00, 0x0b, 8, 0, 23, 0, 37, 1, 1, 0x11, 0]

describe("contract, Images: an image by signature", () => {
  for (const { bytes, name, type } of samples) {
    it(`reads type, width and height of ${name}`, () => {
      assert.deepStrictEqual(readImageHeader(bytes), {
        _tag: "Image",
        header: { type, width: 37, height: 23 },
      })
    })

    it(`knows ${name} by its first ${signatureBytes} bytes, and says nothing false of fewer`, () => {
      assert.strictEqual(imageTypeOf(bytes.subarray(0, signatureBytes)), type)
      for (let length = 0; length < bytes.length; length++) {
        const reading = readImageHeader(bytes.subarray(0, length))
        if (reading._tag === "Image") {
          assert.deepStrictEqual(reading.header, { type, width: 37, height: 23 })
        } else if (length >= signatureBytes) assert.deepStrictEqual(reading, { _tag: "Incomplete", type })
      }
    })
  }

  it("takes nothing else for an image", () => {
    const others = ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "BM......", "II*\0", "GIF88a"]
    for (const text of [...others, "RIFF....WAVEfmt ", "%PDF-1.7", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"]) {
      assert.deepStrictEqual(readImageHeader(Buffer.from(text, "latin1")), { _tag: "NotAnImage" }, text)
    }
  })

  it("steps over a JPEG's metadata and fill bytes, however they are ordered", () => {
    const metadata = [0xff, 0xe1, 0x00, 0x06, 0xff, 0xc0, 0xff, 0xda]
    const bytes = jpegWith(metadata, [0xff, 0xff], metadata, frame)
    assert.deepStrictEqual(readImageHeader(bytes), {
      _tag: "Image",
      header: { type: "image/jpeg", width: 37, height: 23 },
    })
  })

  it("refuses sizes that cannot be", () => {
    const png = Uint8Array.from(sampleBytes("png"))
    png.fill(0, 16, 20)
    assert.strictEqual(readImageHeader(png)._tag, "NotAnImage")
    const gif = Uint8Array.from(sampleBytes("gif"))
    gif.fill(0, 6, 8)
    assert.strictEqual(readImageHeader(gif)._tag, "NotAnImage")
    assert.strictEqual(readImageHeader(jpegWith([0xff, 0xda, 0, 2], frame))._tag, "NotAnImage")
  })

  it("stops where hostile bytes would make it step forever", () => {
    const fill = new Uint8Array(1 << 20).fill(0xff)
    fill.set([0xff, 0xd8, 0xff])
    assert.strictEqual(readImageHeader(fill)._tag, "NotAnImage")
    const empty = jpegWith(...Array.from({ length: 20_000 }, () => [0xff, 0xe0, 0, 2]), frame)
    assert.strictEqual(readImageHeader(empty)._tag, "NotAnImage")
    const boxes = Buffer.concat([
      Buffer.from("\0\0\0\x14ftypavif\0\0\0\0avif", "latin1"),
      ...Array.from({ length: 20_000 }, () => Buffer.from("\0\0\0\x08free", "latin1")),
    ])
    assert.strictEqual(readImageHeader(boxes)._tag, "NotAnImage")
  })

  it("never throws or reads past its input, whatever bytes were changed, cut or put in", () => {
    const mutation = fc.record({
      sample: fc.constantFrom(...samples),
      changes: fc.array(fc.tuple(fc.nat(700), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
      cut: fc.option(fc.nat(700)),
      insert: fc.tuple(fc.nat(700), fc.uint8Array({ maxLength: 12 })),
    })
    fc.assert(
      fc.property(mutation, ({ changes, cut, insert: [at, inserted], sample }) => {
        const base = Buffer.from(sample.bytes)
        for (const [offset, value] of changes) if (offset < base.length) base[offset] = value
        const whole = Buffer.concat([base.subarray(0, at), inserted, base.subarray(at)])
        const bytes = whole.subarray(0, cut ?? whole.length)
        // Surrounded by other bytes in the same buffer, as slices of a pool are, it must read the same.
        const pool = Buffer.concat([Buffer.alloc(64, 0xff), bytes, Buffer.alloc(64, 0xff)])
        const reading = readImageHeader(Uint8Array.from(bytes))
        assert.deepStrictEqual(readImageHeader(pool.subarray(64, 64 + bytes.length)), reading)
        if (reading._tag !== "Image") return
        const { height, width } = reading.header
        assert.isTrue(Number.isSafeInteger(width) && width > 0 && Number.isSafeInteger(height) && height > 0)
      }),
      { numRuns: 20_000 },
    )
  })

  it("never throws on bytes that only begin like an image", () => {
    const heads = samples.map(({ bytes }) => Buffer.from(bytes.subarray(0, 24)))
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 400 }), (head, tail) => {
        readImageHeader(Buffer.concat([head, tail]))
      }),
      { numRuns: 10_000 },
    )
  })
})
