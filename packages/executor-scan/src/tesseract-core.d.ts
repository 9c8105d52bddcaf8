/** What is used of tesseract.js-core, which brings no types; names are those of Tesseract. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  export interface TessBaseAPI {
    /** 0, or -1 where the data of a language are no such data. */
    Init(dataPath: null, languages: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    /** Reads `/input`, turned as an EXIF orientation says, and by an angle. 1 if it is no picture. */
    SetImageFile(orientation: number, angle: number): number
    FindLines(): number
    /** Of the lines of text. */
    GetGradient(): number
    Recognize(monitor: null): number
    GetJSONText(): string
    MeanTextConf(): number
  }

  interface TesseractModule {
    readonly TessBaseAPI: new () => TessBaseAPI
    /** In memory. */
    readonly FS: { writeFile(name: string, data: Uint8Array): void }
  }

  const start: (options: {
    readonly wasmBinary: Uint8Array
    readonly print: (line: string) => void
    readonly printErr: (line: string) => void
    readonly TesseractProgress: (percent: number) => void
  }) => Promise<TesseractModule>
  export default start
}
