/** A PNG of 37 by 23 pixels. */
export const samplePng: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACUAAAAXCAIAAAADThHyAAAAKElEQVR4nGM8oRHFQEfARE/LRu0btW/UvlH7Ru0btW/UvlH7Ru0j" +
    "CADovQF4aqVthQAAAABJRU5ErkJggg==",
  "base64",
)
