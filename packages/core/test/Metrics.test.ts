import { counter, histogram, makeMeter } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { PrometheusMetrics } from "effect/observability"

const own = Effect.provideServiceEffect(
  Metric.MetricRegistry,
  Effect.sync(() => new Map()),
)
const text = Effect.map(Effect.context<never>(), (context) => PrometheusMetrics.formatUnsafe(context))
const seriesOf = (written: string) =>
  written.split("\n").filter((line) => line !== "" && !line.startsWith("#"))

describe("metrics", () => {
  it.effect("a million values of a label make a thousand series, and what is beyond is counted", () =>
    Effect.gen(function* () {
      const family = counter("test_total", "Tests.", ["model", "code"])
      const meter = yield* makeMeter
      for (let n = 0; n < 1_000_000; n++) meter.add(family, [`model-${n}`, "x"])
      const series = seriesOf(yield* text)
      assert.strictEqual(series.length, 1001)
      assert.include(series, 'test_total{model="other",code="other"} 999000')
      const sum = series.reduce((total, line) => total + Number(line.split(" ").at(-1)), 0)
      assert.strictEqual(sum, 1_000_000)
    }).pipe(own),
  )

  it.effect("a label is cut, and cannot end its line or its quotes", () =>
    Effect.gen(function* () {
      const family = counter("test_total", "Tests.", ["model"])
      const meter = yield* makeMeter
      meter.add(family, ['a"\n\\b} 7'])
      meter.add(family, ["x".repeat(1_000_000)])
      const series = seriesOf(yield* text)
      assert.deepStrictEqual(series[0], 'test_total{model="a\\"\\n\\\\b} 7"} 1')
      assert.isBelow(series[1]?.length ?? 0, 200)
      assert.strictEqual(series.length, 2)
    }).pipe(own),
  )

  it.effect("0 makes a series, and a histogram counts into every bucket above", () =>
    Effect.gen(function* () {
      const meter = yield* makeMeter
      meter.add(counter("test_total", "Tests.", ["kind"]), ["image"], 0)
      const seconds = histogram("test_seconds", "Time.", ["kind"], [0.1, 1])
      meter.observe(seconds, ["image"], 0.05)
      meter.observe(seconds, ["image"], 30)
      meter.observe(seconds, ["image"], -1)
      assert.deepStrictEqual(seriesOf(yield* text), [
        'test_total{kind="image"} 0',
        'test_seconds_bucket{kind="image",le="0.1"} 2',
        'test_seconds_bucket{kind="image",le="1"} 2',
        'test_seconds_bucket{kind="image",le="+Inf"} 3',
        'test_seconds_sum{kind="image"} 30.05',
        'test_seconds_count{kind="image"} 3',
      ])
    }).pipe(own),
  )

  it.effect("what is watched is read when metrics are, until it ends", () =>
    Effect.gen(function* () {
      const meter = yield* makeMeter
      let bytes = 1
      const family = counter("test_bytes_total", "Bytes.")
      const end = meter.watchTotal(family, [], () => bytes)
      bytes = 7
      assert.deepStrictEqual(seriesOf(yield* text), ["test_bytes_total 7"])
      end()
      assert.deepStrictEqual(seriesOf(yield* text), [])
    }).pipe(own),
  )
})
