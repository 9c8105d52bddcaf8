import { readMathMl } from "@atelier/executor/html"
import { convertLimits } from "../../Limits.ts"

/** The root of a part stands within as many bytes, behind a declaration and a document type. */
const rootBytesMax = 2048
const root = /<(?:[\w.-]+:)?math[\s/>]/

const equationOf = (bytes: Uint8Array | undefined): string => {
  if (bytes === undefined || bytes.length > convertLimits.equation_bytes_max) return ""
  const decoder = new TextDecoder()
  return root.test(decoder.decode(bytes.subarray(0, rootBytesMax))) ? readMathMl(decoder.decode(bytes)) : ""
}

/** The parts of a package that hold an equation in MathML, each of which is read once. */
export class OdtEquations {
  readonly #read: (part: string) => Uint8Array | undefined
  readonly #known = new Map<string, string>()

  constructor(read: (part: string) => Uint8Array | undefined) {
    this.#read = read
  }

  /** What an object refers to, such as `./Object 1`, as inline Markdown; empty where it is no equation. */
  get(reference: string): string {
    const name = reference.replace(/^\.\//, "").replace(/\/$/, "")
    let equation = this.#known.get(name)
    if (equation === undefined) {
      equation = name === "" ? "" : equationOf(this.#read(`${name}/content.xml`))
      this.#known.set(name, equation)
    }
    return equation
  }
}
