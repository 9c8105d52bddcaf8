import { describe, expect, it } from "vitest"
import { eventsOf } from "./xmlEvents.ts"

describe("readXml, in a process that has read nothing before", () => {
  it("does not confuse names when it has met so many that it forgets some", () => {
    const named = Array.from({ length: 1_100 }, (_, index) => `<n${index}></n${index}>`.repeat(3))
    const document = (end: string) => `<r>${"<o></o>".repeat(9)}<o>${named.join("")}</${end}></r>`
    const read = (end: string) => () => eventsOf(document(end), { textIn: [] })
    // The first name after the forgetting gets the place that "o" had.
    expect(read("n1022")).toThrow('the end tag "n1022" stands where "o" is open')
    expect(read("o")).not.toThrow()
  })
})
