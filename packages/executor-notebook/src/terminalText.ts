/** Colours, cursor movements and titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const escapeSequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g

/** What a line held before it was overwritten, as progress bars do. */
const overwritten = /^[^\n]*\r(?!\n|$)/gm

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0b\r\x0e-\x1f\x7f]/g

/** What a program wrote to a terminal, as it stood there in the end: without colours and control characters. */
export const terminalText = (output: string): string =>
  output.replaceAll("\r\n", "\n").replace(escapeSequences, "").replace(overwritten, "").replace(controls, "")
