import { afterAll, expect } from "vitest"

/** Fails the file where Node or a library has warned by its end; some warn once in a process. */
export const failOnWarnings = (): void => {
  const warnings: Array<string> = []
  const onWarning = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`)
  process.on("warning", onWarning)
  afterAll(() => {
    process.off("warning", onWarning)
    expect(warnings).toEqual([])
  })
}
