import { markdownLimits } from "../Limits.ts"
import {
  blockElements,
  foreignElements,
  impliedEnds,
  scopeElements,
  tableElements,
  voidElements,
} from "./elements.ts"

/** The attributes that matter, by name in lower case. */
export type HtmlAttributes = ReadonlyMap<string, string>

export interface ElementHandler {
  start(name: string, attributes: HtmlAttributes): void
  end(name: string): void
}

const noAttributes: HtmlAttributes = new Map()

/**
 * Makes tags into elements that lie inside one another: end tags may be missing, nested wrongly or too many.
 * Every tag takes bounded time, and the handler hears of an end for every start.
 */
export class OpenElements {
  private readonly handler: ElementHandler
  /** Names, from the outermost on. */
  private readonly open: Array<string> = []
  private readonly counts = new Counts()
  /** The same within each open table or cell of one, from the outermost on: what is outside is not ended from inside. */
  private readonly scopes: Array<Counts> = [new Counts()]
  /** What has started deeper than elements are followed; it begins a line, if it does, and holds nothing. */
  private beyond = new Counts()

  constructor(handler: ElementHandler) {
    this.handler = handler
  }

  get isForeign(): boolean {
    for (const name of foreignElements) if (this.counts.has(name)) return true
    return false
  }

  start(name: string, attributes: HtmlAttributes = noAttributes): void {
    this.endImplied(name)
    const isBeyond = this.open.length >= markdownLimits.html_depth_max
    if (voidElements.has(name) || (isBeyond && blockElements.has(name))) {
      this.handler.start(name, attributes)
      this.handler.end(name)
    }
    if (voidElements.has(name)) return
    if (isBeyond) this.beyond.add(name)
    else {
      this.open.push(name)
      this.counts.add(name)
      this.scopes.at(-1)?.add(name)
      if (scopeElements.has(name)) this.scopes.push(new Counts())
      this.handler.start(name, attributes)
    }
  }

  /** Ends the innermost open element of this name and all inside of it; if there is none, the tag is passed over. */
  end(name: string): void {
    if (this.beyond.has(name)) {
      this.beyond.remove(name)
      return
    }
    const isOpen = tableElements.has(name) ? this.counts.has(name) : this.scopes.at(-1)?.has(name)
    if (isOpen !== true) return
    while (this.pop() !== name);
  }

  endAll(): void {
    while (this.open.length > 0) this.pop()
  }

  private endImplied(name: string): void {
    const implied = impliedEnds.get(name)
    if (implied === undefined) return
    const { open } = this
    const last = Math.max(0, open.length - markdownLimits.html_implied_end_depth_max)
    for (let at = open.length - 1; at >= last; at--) {
      const candidate = open[at] ?? ""
      if (implied.ends.has(candidate)) {
        while (open.length > at) this.pop()
        return
      }
      if (implied.within.has(candidate)) return
    }
  }

  private pop(): string | undefined {
    const name = this.open.pop()
    if (name === undefined) return undefined
    if (!this.beyond.isEmpty) this.beyond = new Counts()
    if (scopeElements.has(name)) this.scopes.pop()
    this.scopes.at(-1)?.remove(name)
    this.counts.remove(name)
    this.handler.end(name)
    return name
  }
}

/** How many there are of a name. */
class Counts {
  private readonly counts = new Map<string, number>()

  get isEmpty(): boolean {
    return this.counts.size === 0
  }

  has(name: string): boolean {
    return this.counts.has(name)
  }

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  remove(name: string): void {
    const count = this.counts.get(name) ?? 0
    if (count > 1) this.counts.set(name, count - 1)
    else this.counts.delete(name)
  }
}
