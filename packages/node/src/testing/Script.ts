/** What stands in for an answer: the answer, or what makes it of the request. */
export type Scripted<Request, Answer> = Answer | ((request: Request) => Answer)

/** Answers in the order in which they were given, then always the same one; and what was asked. */
export class Script<Request, Answer extends object> {
  readonly #next: Array<Scripted<Request, Answer>> = []
  #always: Scripted<Request, Answer>
  /** Every request so far, the first one first. */
  readonly requests: Array<Request> = []

  constructor(always: Answer) {
    this.#always = always
  }

  /** The answers to the next requests, one each. */
  next(...answers: ReadonlyArray<Scripted<Request, Answer>>): void {
    this.#next.push(...answers)
  }

  /** The answer to every request that `next` has none for. */
  always(answer: Scripted<Request, Answer>): void {
    this.#always = answer
  }

  answerTo(request: Request): Answer {
    this.requests.push(request)
    const scripted = this.#next.shift() ?? this.#always
    return typeof scripted === "function" ? scripted(request) : scripted
  }
}
