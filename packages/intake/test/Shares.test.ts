import { describe, expect, it } from "vitest"
import { type Claim, Shares, type Ticket } from "../src/Shares.ts"

/** Tickets by name, and what became of them in order. */
const scene = (parsesMax: number) => {
  const shares = new Shares(parsesMax)
  const granted: Array<string> = []
  const stopped: Array<string> = []
  const tickets = new Map<string, Ticket>()
  const ask = (name: string, kind: Claim["kind"] = "parse", yields = true) => {
    const ticket: Ticket = {
      // The first letter of a name is its owner.
      claim: { owner: name.charAt(0), kind, yields },
      grant: () => void granted.push(name),
      stop: () => void stopped.push(name),
    }
    tickets.set(name, ticket)
    shares.ask(ticket)
  }
  const of = (name: string): Ticket => tickets.get(name) ?? expect.fail(`no ticket ${name}`)
  return {
    granted,
    stopped,
    ask,
    end: (name: string) => shares.end(of(name)),
    makeRoom: (name: string) => shares.makeRoom(of(name)),
    shares,
  }
}

describe("Shares of the parsing processes", () => {
  it("parses never take the process that is kept for checks", () => {
    const { ask, granted, end } = scene(2)
    for (const name of ["a1", "a2", "a3", "b1"]) ask(name)
    expect(granted).toEqual(["a1", "a2"])
    ask("c1", "check")
    expect(granted).toEqual(["a1", "a2", "c1"])
    end("c1")
    expect(granted).toHaveLength(3)
  })

  it("checks use every process that is free", () => {
    const { ask, granted } = scene(2)
    for (const name of ["a1", "b1", "c1", "d1"]) ask(name, "check")
    expect(granted).toEqual(["a1", "b1", "c1"])
  })

  it("one owner's checks never take the last process, which the next owner's check finds free", () => {
    const { ask, granted } = scene(2)
    for (const name of ["a1", "a2", "a3"]) ask(name, "check")
    expect(granted).toEqual(["a1", "a2"])
    ask("b1", "check")
    expect(granted).toEqual(["a1", "a2", "b1"])
  })

  it("an owner whose parses run has the last process for one check", () => {
    const { ask, granted, end } = scene(2)
    for (const name of ["a1", "a2"]) ask(name)
    for (const name of ["a3", "a4"]) ask(name, "check")
    expect(granted).toEqual(["a1", "a2", "a3"])
    end("a3")
    expect(granted).toEqual(["a1", "a2", "a3", "a4"])
  })

  it("owners take turns, however many jobs one of them has", () => {
    const { ask, granted, end } = scene(1)
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) ask(name)
    for (const done of ["a1", "b1", "c1", "a2", "b2", "a3"]) end(done)
    expect(granted).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
  })

  it("the next process is for the owner who has the fewest", () => {
    const { ask, granted, end } = scene(3)
    for (const name of ["a1", "a2", "b1", "a3", "b2"]) ask(name)
    expect(granted).toEqual(["a1", "a2", "b1"])
    end("a1")
    end("a2")
    expect(granted.slice(3)).toEqual(["a3", "b2"])
  })

  it("an owner's checks come before its parses", () => {
    const { ask, granted, end } = scene(1)
    ask("a1", "check")
    ask("b1", "check")
    ask("c1")
    ask("c2", "check")
    end("a1")
    expect(granted).toEqual(["a1", "b1", "c2"])
  })

  it("an owner without a process makes an owner of several stop the youngest, and only then", () => {
    const { ask, end, makeRoom, granted, stopped } = scene(2)
    ask("a1")
    ask("a2")
    ask("a3")
    makeRoom("a3")
    expect(stopped).toEqual([])
    ask("b1")
    makeRoom("b1")
    expect(stopped).toEqual(["a2"])
    end("a2")
    expect(granted).toEqual(["a1", "a2", "b1"])
    ask("c1")
    makeRoom("c1")
    expect(stopped).toEqual(["a2"])
  })

  it("what was stopped once is not stopped again", () => {
    const { ask, makeRoom, stopped } = scene(2)
    ask("a1", "parse", false)
    ask("a2", "parse", false)
    ask("b1")
    makeRoom("b1")
    expect(stopped).toEqual([])
  })

  it("a parse stops no check, for the process of a check is not its own", () => {
    const { ask, makeRoom, stopped } = scene(2)
    ask("a1", "check")
    ask("a2", "check")
    ask("b1")
    ask("c1")
    makeRoom("c1")
    expect(stopped).toEqual([])
    ask("d1", "check")
    makeRoom("d1")
    expect(stopped).toEqual(["a2"])
  })

  it("a ticket that waits no more leaves nothing behind", () => {
    const { ask, end, granted, shares } = scene(1)
    ask("a1")
    ask("b1")
    end("b1")
    expect(shares.waitingCount).toBe(0)
    end("a1")
    expect(granted).toEqual(["a1"])
  })
})
