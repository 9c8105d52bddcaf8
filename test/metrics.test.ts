import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { root } from "../scripts/workspace.ts"
import { type Family, parseExposition } from "./support/exposition.ts"
import {
  type Account,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

/** `GET /metrics` of a server that did some of everything, as Prometheus reads it. */

let installation: Installation
let server: Server
let account: Account
let atStart: string

beforeAll(async () => {
  installation = await install({
    channels: [
      { id: "vendor", adapter: "faulty", models: { "test-image": "*" } },
      { id: "local", adapter: "local", models: { "*": "*" } },
    ],
  })
  server = await serve(installation)
  atStart = await read()
  account = await makeAccount(server.url, 10)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const hasPromtool = spawnSync("promtool", ["--version"]).error === undefined
const howToGet = "promtool is not there: apt-get install prometheus"

const promtool = (args: ReadonlyArray<string>, input = ""): readonly [number | null, string, string] => {
  const { status, stdout, stderr } = spawnSync("promtool", args, {
    input,
    encoding: "utf8",
    cwd: join(root, "deploy/grafana"),
  })
  return [status, stdout, stderr]
}

const read = async () => (await fetch(`${server.url}/metrics`)).text()

/** The value of a series; undefined where there is none. */
const valueOf = (families: ReadonlyArray<Family>, name: string, labels: Record<string, string> = {}) =>
  families
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels.get(label) === value),
    )?.value

const finished = async (id: string) => {
  const { body } = await call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
  return body
}

const submit = async (json: object) => {
  const { body } = await call(`${server.url}/v1/images/tasks`, { key: account.key, json })
  return textAt(body, "task_id")
}

describe("contract, Running it: GET /metrics", () => {
  it("has at the first start, at zero, every series that can be foreseen", () => {
    const families = parseExposition(atStart)
    const zeros: ReadonlyArray<readonly [string, Record<string, string>]> = [
      ...["queued", "in_progress", "archiving", "unknown", "completed", "failed"].map(
        (state) => ["atelier_tasks", { kind: "image", state }] as const,
      ),
      ...["queued", "running", "succeeded", "failed"].map(
        (state) => ["atelier_tasks", { kind: "tool", state }] as const,
      ),
      ...["image", "tool", "callback"].flatMap((kind) => [
        ["atelier_jobs", { kind, state: "ready" }] as const,
        ["atelier_jobs", { kind, state: "leased" }] as const,
        ["atelier_queue_oldest_seconds", { kind }] as const,
        ["atelier_leases_recovered_total", { kind }] as const,
      ]),
      ...["grant", "hold", "settle", "release"].flatMap((kind) => [
        ["atelier_ledger_transfers_total", { kind }] as const,
        ["atelier_ledger_units_total", { kind }] as const,
      ]),
      ...["delivered", "retried", "failed"].map(
        (outcome) => ["atelier_callback_attempts_total", { outcome }] as const,
      ),
      ["atelier_archive_retries_total", {}],
      ["atelier_shed_total", {}],
      ["atelier_refused_credentials_total", { surface: "key", code: "invalid_api_key" }],
      ["atelier_refused_credentials_total", { surface: "admin", code: "invalid_api_key" }],
      ["atelier_http_refusals_total", { reason: "body_bytes" }],
      ["atelier_http_body_bytes", {}],
      ["atelier_channel_paused", { channel: "vendor" }],
      ["atelier_channel_breaker", { channel: "vendor", state: "open" }],
    ]
    const found = zeros.map(([name, labels]) => [name, labels, valueOf(families, name, labels)])
    expect(found).toEqual(zeros.map(([name, labels]) => [name, labels, 0]))
    expect(valueOf(families, "atelier_channel_breaker", { channel: "vendor", state: "closed" })).toBe(1)
    expect(valueOf(families, "atelier_build_info", { version: "0.1.0", node: process.versions.node })).toBe(1)
    expect(valueOf(families, "process_uptime_seconds")).toBeGreaterThan(0)
    expect(valueOf(families, "atelier_event_loop_delay_seconds")).toBeGreaterThanOrEqual(0)
  })

  it("counts tasks, runs, upstreams, parses and money", async () => {
    await finished(await submit({ model: "gen-image-2", prompt: "a pier", size: "256x256" }))
    await finished(await submit({ model: "test-image", prompt: "[reject]" }))
    await finished(await submit({ model: "test-image", prompt: "[archive-fail 1]" }))
    const upload = await call(`${server.url}/v1/tools/text-md-json/files`, {
      key: account.key,
      form: formOf("note.md", "# A note\n"),
    })
    const invoked = await call(`${server.url}/v1/tools/text-md-json/invoke`, {
      key: account.key,
      headers: { "idempotency-key": "a-document-of-metrics" },
      json: { input: { file_id: textAt(upload.body, "id") } },
    })
    await finished(textAt(invoked.body, "id"))
    const families = parseExposition(await read())
    const value = (name: string, labels: Record<string, string> = {}) => valueOf(families, name, labels)
    expect(value("atelier_tasks_accepted_total", { kind: "image", model: "gen-image-2" })).toBe(1)
    const done = { kind: "image", model: "gen-image-2", state: "completed", code: "" }
    expect(value("atelier_tasks_finished_total", done)).toBe(1)
    const rejected = { kind: "image", model: "test-image", state: "failed", code: "upstream_rejected" }
    expect(value("atelier_tasks_finished_total", rejected)).toBe(1)
    expect(value("atelier_tasks", { kind: "image", state: "completed" })).toBe(2)
    expect(value("atelier_task_duration_seconds_count", { kind: "image", state: "completed" })).toBe(2)
    expect(value("atelier_task_wait_seconds_count", { kind: "image" })).toBe(3)
    expect(value("atelier_run_seconds_count", { kind: "image" })).toBeGreaterThanOrEqual(3)
    expect(value("atelier_upstream_seconds_count", { channel: "vendor", outcome: "rejected" })).toBe(1)
    expect(value("atelier_upstream_seconds_count", { channel: "local", outcome: "ok" })).toBe(1)
    expect(value("atelier_archive_retries_total")).toBe(1)
    expect(value("atelier_parse_seconds_count", { tool: "text-md-json", outcome: "ok" })).toBe(1)
    expect(value("atelier_ledger_units_total", { kind: "grant" })).toBe(5_000_000)
    const moved = ["hold", "settle", "release"].map((kind) => value("atelier_ledger_units_total", { kind }))
    expect(moved[0]).toBe((moved[1] ?? 0) + (moved[2] ?? 0))
    expect(moved[0]).toBeGreaterThan(0)
  })

  it("counts requests by route and status, and times them", async () => {
    await call(`${server.url}/v1/tasks/imgtask_1`, { key: account.key })
    await call(`${server.url}/v1/tasks/imgtask_2`, { key: account.key })
    await call(`${server.url}/v1/tasks?limit=1`, { key: account.key })
    await fetch(`${server.url}/v1/tasks/imgtask_1`, { method: "DELETE" })
    const families = parseExposition(await read())
    const count = (method: string, route: string, status: number) =>
      valueOf(families, "atelier_http_requests_total", { method, route, status: String(status) })
    expect(count("GET", "/v1/tasks/{task_id}", 404)).toBe(2)
    expect(count("GET", "/v1/tasks", 200)).toBe(1)
    expect(count("POST", "/admin/v1/users", 201)).toBe(1)
    expect(count("DELETE", "none", 405)).toBe(1)
    const seconds = { method: "GET", route: "/v1/tasks/{task_id}" }
    expect(valueOf(families, "atelier_http_request_duration_seconds_count", seconds)).toBeGreaterThan(4)
  })

  it("what strangers send makes no series", async () => {
    const ask = (method: string, path: string) =>
      new Promise<void>((resolve, reject) => {
        const sent = request(`${server.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${path}`, "x-request-id": path, host: `${method}.example` },
        })
        sent.once("response", (response) => response.resume().once("end", () => resolve()))
        sent.once("error", reject)
        sent.end()
      })
    await ask("PROPFIND", "/first")
    const before = parseExposition(await read()).flatMap(({ samples }) => samples).length
    for (const method of ["GET", "HEAD", "DELETE", "PROPFIND", "MKCOL", "LOCK", "REPORT"]) {
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          ask(method, n % 2 === 0 ? `/v1/tools/tool-${n}/files` : `/never/${n}?model="}${n}%0a`),
        ),
      )
    }
    const models = Array.from({ length: 30 }, (_, n) =>
      call(`${server.url}/v1/images/tasks`, {
        key: account.key,
        json: { model: `model-${n}`, prompt: "x" },
      }),
    )
    await Promise.all(models)
    const after = parseExposition(await read()).flatMap(({ samples }) => samples)
    expect(
      after.filter(({ labels }) => [...labels.values()].some((value) => /never|model-\d/.test(value))),
    ).toEqual([])
    // Methods, and statuses of routes, that were not met before; not one for each of what was sent.
    expect(after.length - before).toBeLessThan(140)
  })

  it("is what promtool accepts", ({ skip }) => {
    if (!hasPromtool) skip(howToGet)
    expect(promtool(["check", "metrics"], atStart)).toEqual([0, "", ""])
  })
})

const deployed = (name: string) => readFileSync(join(root, "deploy/grafana", name), "utf8")

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly description: string }
}
const rules: ReadonlyArray<Rule> = parse(deployed("alerts.yaml")).groups[0].rules

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}
const panels: ReadonlyArray<Panel> = JSON.parse(deployed("atelier.json")).panels
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

describe("deploy/grafana", () => {
  it("asks for metrics that the service has, and for all of them", async () => {
    const families = parseExposition(await read())
    const names = new Set(families.map(({ name }) => name))
    const asked = [...rules.map(({ expr }) => expr), ...queries].flatMap((expr) =>
      Array.from(expr.matchAll(/\b(atelier|process)_[a-z_]+/g), ([name]) => name),
    )
    const familyOf = (name: string) => (names.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ""))
    expect([...new Set(asked.map(familyOf))].filter((name) => !names.has(name))).toEqual([])
    const shown = new Set(asked.map(familyOf))
    expect([...names].filter((name) => !shown.has(name)).toSorted()).toEqual([
      "atelier_http_bodies_arriving",
      "atelier_http_refusals_held",
      "process_uptime_seconds",
    ])
    const labels = new Set(families.flatMap(({ samples }) => samples.flatMap((s) => [...s.labels.keys()])))
    const grouped = [...rules.map(({ expr }) => expr), ...queries].flatMap((expr) =>
      Array.from(expr.matchAll(/by \(([a-z_, ]+)\)/g), ([, list = ""]) => list.split(", ")).flat(),
    )
    expect([...new Set(grouped)].filter((label) => label !== "instance" && !labels.has(label))).toEqual([])
  })

  it("every panel of the dashboard shows something, and has a number and a title of its own", () => {
    const shown = panels.filter(({ type }) => type !== "row")
    expect(shown.filter(({ targets = [] }) => targets.length === 0)).toEqual([])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })

  it("every alert says what is wrong and what to do, has a test that makes it fire, and is in the docs", () => {
    const tests: ReadonlyArray<{ readonly name: string }> = parse(deployed("alerts.test.yaml")).tests
    const page = readFileSync(join(root, "docs/operate/metrics.md"), "utf8")
    for (const { alert, annotations } of rules) {
      expect([alert, annotations.summary.length > 10, annotations.description.length > 20]).toEqual([
        alert,
        true,
        true,
      ])
      expect(tests.map(({ name }) => name)).toContain(alert)
      expect(page).toContain(`\`${alert}\``)
    }
  })

  it("each alert fires, and none where all is well", ({ skip }) => {
    if (!hasPromtool) skip(howToGet)
    const [status, output] = promtool(["test", "rules", "alerts.test.yaml"])
    expect([status, output]).toEqual([0, expect.stringContaining("SUCCESS")])
  })

  it("the queries of the dashboard are PromQL", ({ skip }) => {
    if (!hasPromtool) skip(howToGet)
    const directory = mkdtempSync(join(tmpdir(), "atelier-rules-"))
    const asRules = queries.map((expr, n) => ({
      record: `query_${n}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    }))
    // JSON is YAML.
    writeFileSync(
      join(directory, "rules.yaml"),
      JSON.stringify({ groups: [{ name: "dashboard", rules: asRules }] }),
    )
    const [status, output] = promtool(["check", "rules", join(directory, "rules.yaml")])
    rmSync(directory, { recursive: true })
    expect([status, output]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)])
  })
})
