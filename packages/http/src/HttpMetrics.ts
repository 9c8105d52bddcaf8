import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** Answers of this process by status, since it started. Counting is one array access: it is on every path. */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    readonly count: (status: number) => void
    readonly answers: () => ReadonlyArray<readonly [status: number, count: number]>
  }
>()("@atelier/http/HttpMetrics") {
  static readonly layer = Layer.sync(HttpMetrics, () => {
    const counts = new Float64Array(600)
    return HttpMetrics.of({
      count: (status) => {
        counts[status] = (counts[status] ?? 0) + 1
      },
      answers: () => [...counts].flatMap((count, status) => (count === 0 ? [] : [[status, count] as const])),
    })
  })
}
