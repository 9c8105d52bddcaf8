import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/**
 * Metrics of the process, in Effect's registry: `GET /metrics` writes them in Prometheus' text format. Labels are of
 * closed sets (states, codes, routes) or of the configuration (models, tools, channels), never of what a caller sent;
 * `seriesMax` bounds them all the same.
 */

/** Series of one metric; what comes beyond is counted under `other`. */
const seriesMax = 1000
/** Longer label values are cut. */
const labelCharsMax = 100
const other = "other"

type Numbers<State> = Metric.Metric<number, State>

/** One metric by the values of its labels. */
export class MetricFamily<State> {
  readonly #labels: ReadonlyArray<string>
  readonly #make: (attributes: Record<string, string>) => Numbers<State>
  readonly #series = new Map<string, Numbers<State>>()

  constructor(labels: ReadonlyArray<string>, make: (attributes: Record<string, string>) => Numbers<State>) {
    this.#labels = labels
    this.#make = make
  }

  /** The series of these values, in the order of the labels. */
  of(values: ReadonlyArray<string>): Numbers<State> {
    const key = values.length === 1 ? (values[0] ?? "") : values.join("\n")
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const isFull = this.#series.size >= seriesMax
    const taken = isFull
      ? this.#labels.map(() => other)
      : values.map((value) => value.slice(0, labelCharsMax))
    const takenKey = taken.join("\n")
    const made =
      this.#series.get(takenKey) ??
      this.#make(Object.fromEntries(this.#labels.map((label, index) => [label, taken[index] ?? ""])))
    this.#series.set(takenKey, made)
    return made
  }
}

export type CounterFamily = MetricFamily<Metric.CounterState<number>>
export type GaugeFamily = MetricFamily<Metric.GaugeState<number>>
export type HistogramFamily = MetricFamily<Metric.HistogramState>

export const counter = (
  name: string,
  description: string,
  labels: ReadonlyArray<string> = [],
): CounterFamily =>
  new MetricFamily(labels, (attributes) =>
    Metric.counter(name, { description, attributes, incremental: true }),
  )

export const gauge = (name: string, description: string, labels: ReadonlyArray<string> = []): GaugeFamily =>
  new MetricFamily(labels, (attributes) => Metric.gauge(name, { description, attributes }))

/** In seconds; `boundaries` are upper ends. */
export const histogram = (
  name: string,
  description: string,
  labels: ReadonlyArray<string>,
  boundaries: ReadonlyArray<number>,
): HistogramFamily =>
  new MetricFamily(labels, (attributes) => Metric.histogram(name, { description, attributes, boundaries }))

/** From a task that ends at once to the hour that it may take. */
const taskSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600]
/** From a small document to the five minutes of a task. */
const parseSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** What core counts. Each process counts its own. */
export const metrics = {
  accepted: counter("atelier_tasks_accepted_total", "Tasks accepted, by kind and model or tool.", [
    "kind",
    "model",
  ]),
  finished: counter(
    "atelier_tasks_finished_total",
    "Tasks that reached a final state; the code says why one failed.",
    ["kind", "model", "state", "code"],
  ),
  waited: histogram("atelier_task_wait_seconds", "From acceptance to start.", ["kind"], taskSeconds),
  lasted: histogram(
    "atelier_task_duration_seconds",
    "From acceptance to the final state.",
    ["kind", "state"],
    taskSeconds,
  ),
  runs: histogram("atelier_run_seconds", "Runs of jobs, whatever their end.", ["kind"], taskSeconds),
  upstream: histogram(
    "atelier_upstream_seconds",
    "Calls to a channel until the images are there or the call failed, by channel and outcome.",
    ["channel", "outcome"],
    taskSeconds,
  ),
  parses: histogram(
    "atelier_parse_seconds",
    "Runs of a document tool, by tool and outcome: ok or the code of the failure.",
    ["tool", "outcome"],
    parseSeconds,
  ),
  callbacks: counter("atelier_callback_attempts_total", "Attempts of callbacks by what became of them.", [
    "outcome",
  ]),
  archiveRetries: counter(
    "atelier_archive_retries_total",
    "Rounds of copying generated images that left some to be copied again.",
  ),
  leasesRecovered: counter(
    "atelier_leases_recovered_total",
    "Jobs taken over from a process that went silent.",
    ["kind"],
  ),
}

/** Writes to the registry of the context in which a service is made. */
export class Meter {
  readonly #context: Context.Context<never>

  constructor(registry: Metric.MetricRegistry) {
    this.#context = Context.make(Metric.MetricRegistry, registry) as Context.Context<never>
  }

  /** 0 makes the series, so that it does not appear only with its first event. */
  add(family: CounterFamily, values: ReadonlyArray<string>, amount = 1): void {
    family.of(values).updateUnsafe(amount, this.#context)
  }

  observe(family: HistogramFamily, values: ReadonlyArray<string>, seconds: number): void {
    family.of(values).updateUnsafe(Math.max(0, seconds), this.#context)
  }

  /** Shows what `read` answers whenever metrics are read; ends with the returned function. */
  watch(family: GaugeFamily, values: ReadonlyArray<string>, read: () => number): () => void {
    return this.#register(family, values, () => ({ value: read() }))
  }

  /** The same for a number that only grows. */
  watchTotal(family: CounterFamily, values: ReadonlyArray<string>, read: () => number): () => void {
    return this.#register(family, values, () => ({ count: read(), incremental: true }))
  }

  #register<State>(family: MetricFamily<State>, values: ReadonlyArray<string>, get: () => State): () => void {
    const hooks = { get, update: () => {}, modify: () => {} }
    return Metric.registerUnsafe(family.of(values), this.#context, hooks).remove
  }
}

export const makeMeter: Effect.Effect<Meter> = Effect.map(
  Metric.MetricRegistry,
  (registry) => new Meter(registry),
)
