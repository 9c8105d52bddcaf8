/** What is used here of WebAssembly, which Node has and the types of Node do not declare. */
interface WithWebAssembly<Exports> {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: Exports }
  }
}

/** Compiles a module from base64; each call of the result makes an instance with its own memory. */
export const compiledModule = <Exports>(base64: string): (() => Exports) => {
  const { WebAssembly } = globalThis as typeof globalThis & WithWebAssembly<Exports>
  const module = new WebAssembly.Module(Buffer.from(base64, "base64"))
  return () => new WebAssembly.Instance(module).exports
}
