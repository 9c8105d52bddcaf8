/** Bits of a format. */
export const bold = 1
export const italic = 2
export const hidden = 4
export const strike = 8
export const raised = 16
export const lowered = 32

/** What a style or a run says of its characters: of the bits in `known` that they have these values. */
export interface CharacterFormat {
  readonly known: number
  readonly bits: number
}

export const noFormat: CharacterFormat = { known: 0, bits: 0 }

/** The values of `nearer`, and those of `base` where it has none. */
export const over = (base: CharacterFormat, nearer: CharacterFormat): CharacterFormat => ({
  known: base.known | nearer.known,
  bits: (base.bits & ~nearer.known) | nearer.bits,
})
