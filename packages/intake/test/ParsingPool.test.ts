import { execFile, spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { constants, getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { ParsingPool, type ParsingPoolOptions, reportSandbox, siblingModule, Written } from "@atelier/intake"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, type Schema } from "effect"
import { TestClock } from "effect/testing"

const module = siblingModule("jobs", import.meta.url)
const folder = mkdtempSync(join(tmpdir(), "parsing-pool-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, String(++files))

const one = { owner: "one", kind: "parse" } as const

/** Jobs here tell of themselves by files, which a sandbox forbids: what it does has tests of its own. */
const poolOf = (options: ParsingPoolOptions = {}) => ParsingPool.layer({ sandbox: "off", ...options })

const call = (
  name: string,
  input: Schema.Json = null,
  timeoutMillis = 30_000,
  claim: { readonly owner: string; readonly kind: "check" | "parse" } = one,
) =>
  Effect.flatMap(ParsingPool, (pool) => pool.call({ ...claim, module, function: name, input, timeoutMillis }))

/** The processes of two jobs that end only when both run. */
const meeting = Effect.suspend(() => {
  const [own, other] = [newFile(), newFile()]
  const met = [call("meet", { own, other }), call("meet", { own: other, other: own })]
  return Effect.all(met, { concurrency: "unbounded" })
})

const reasonOf = (name: string, input?: Schema.Json, timeoutMillis?: number) =>
  Effect.map(Effect.flip(call(name, input, timeoutMillis)), (error) => error.reason)

/** For jobs that compute for a while before they end. */
const minutes = 300_000

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits for something outside of this process; the test's own time-out bounds it. */
const eventually = (happened: () => boolean) =>
  Effect.promise(async () => {
    while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5))
  })

const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const listProcesses = promisify(execFile)

const descendants = async (pid: number): Promise<ReadonlyArray<number>> => {
  const { stdout } = await listProcesses("ps", ["-A", "-o", "pid=,ppid="])
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): ReadonlyArray<number> =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}

/** By Linux's `sched_autogroup`. */
const sessionPriority = (pid: number): string => {
  const file = `/proc/${pid}/autogroup`
  return existsSync(file) ? (/nice (-?\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "") : ""
}

const pidIn = (file: string) =>
  Effect.map(
    eventually(() => existsSync(file) && readFileSync(file, "utf8") !== ""),
    () => Number(readFileSync(file, "utf8")),
  )

describe("ParsingPool", () => {
  it.live("passes input and result, and an expected refusal as code and message", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* call("echo", { path: "a", pages: [1, null] }), {
        path: "a",
        pages: [1, null],
      })
      const reason = yield* reasonOf("refuse")
      assert.deepInclude(reason, { _tag: "Failed", code: "file_corrupt", message: "It is torn." })
      assert.strictEqual(yield* call("pid"), yield* call("pid"))
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live(
    "document-tools 8, tool time-out: a job that never yields is killed, and its process replaced",
    () =>
      Effect.gen(function* () {
        const file = newFile()
        const reason = yield* reasonOf("hang", file, 5_000)
        assert.deepInclude(reason, { _tag: "Timeout", timeoutMillis: 5_000 })
        assert.isFalse(isRunning(yield* pidIn(file)))
        assert.strictEqual(yield* call("echo", "next"), "next")
      }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("an interrupted call kills its process before it returns", () =>
    Effect.gen(function* () {
      const file = newFile()
      const hanging = yield* Effect.forkChild(call("hang", file))
      const pid = yield* pidIn(file)
      assert.isTrue(isRunning(pid))
      yield* Fiber.interrupt(hanging)
      assert.isFalse(isRunning(pid))
      assert.strictEqual(yield* call("echo", "next"), "next")
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("a job that never yields holds up neither the event loop nor the other process", () =>
    Effect.gen(function* () {
      const file = newFile()
      const hanging = yield* Effect.forkChild(call("hang", file))
      yield* pidIn(file)
      for (let n = 0; n < 20; n++) assert.strictEqual(yield* call("echo", n), n)
      assert.isUndefined(hanging.pollUnsafe())
      yield* Fiber.interrupt(hanging)
    }).pipe(Effect.provide(poolOf({ size: 2 }))),
  )

  it.live("a crash fails its own call and no other", () =>
    Effect.gen(function* () {
      const file = newFile()
      const other = yield* Effect.forkChild(call("until", file))
      assert.deepInclude(yield* reasonOf("exit"), { _tag: "Crashed", exitCode: 7, signal: null })
      assert.deepInclude(yield* reasonOf("fail"), { _tag: "Crashed", detail: "TypeError: a mistake" })
      assert.deepInclude(yield* reasonOf("longReply"), { _tag: "Crashed" })
      assert.deepInclude(yield* reasonOf("absent"), { _tag: "Crashed" })
      writeFileSync(file, "")
      assert.isNumber(yield* Fiber.join(other))
    }).pipe(Effect.provide(poolOf({ size: 2 }))),
  )

  it.live("a job that takes memory without end is stopped, on V8's heap and outside of it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* reasonOf("hogBuffers", null, minutes))._tag, "Crashed")
      assert.strictEqual((yield* reasonOf("hogHeap", null, minutes))._tag, "Crashed")
      assert.strictEqual(yield* call("echo", "next"), "next")
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("a job may take most of the bound of 1 GB: what Node reserves at its start does not count", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* call("takeBuffers", 700_000_000), 14)
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("where the system bounds no memory, a process is measured and killed", () =>
    Effect.gen(function* () {
      const reason = yield* reasonOf("hogBuffers", null, minutes)
      assert.strictEqual(reason._tag, "Crashed")
      assert.include(JSON.stringify(reason), "bytes of memory")
    }).pipe(Effect.provide(poolOf({ bounds: { command: [], measured: true } }))),
  )

  it.live("a process gives way to the server's, whatever its session, from its start on", () => {
    const [started, open] = [newFile(), newFile()]
    const script = `echo $$ > ${started}; while [ ! -e ${open} ]; do sleep 0.01; done; exec "$@"`
    const bounds = { command: ["sh", "-c", script, "sh"], measured: false }
    return Effect.gen(function* () {
      const answer = yield* Effect.forkChild(call("pid"))
      const pid = yield* pidIn(started)
      yield* eventually(() => getPriority(pid) === constants.priority.PRIORITY_LOW)
      // Empty or not there where the kernel does not share processors by session.
      if (sessionPriority(process.pid) !== "") yield* eventually(() => sessionPriority(pid) === "5")
      writeFileSync(open, "")
      yield* Fiber.join(answer)
    }).pipe(Effect.provide(poolOf({ size: 1, bounds })))
  })

  it.live("a process is replaced after its number of jobs", () =>
    Effect.gen(function* () {
      const pids: Array<unknown> = []
      for (let n = 0; n < 4; n++) pids.push(yield* call("pid"))
      assert.strictEqual(pids[0], pids[1])
      assert.notStrictEqual(pids[1], pids[2])
      assert.strictEqual(pids[2], pids[3])
    }).pipe(Effect.provide(poolOf({ size: 1, jobsPerProcess: 2 }))),
  )

  it.live("a waiting call takes a process that is given back before one that is being started", () => {
    const [first, open] = [newFile(), newFile()]
    // The first process starts at once, others when they may.
    const script = `mkdir ${first} 2>/dev/null || while [ ! -e ${open} ]; do sleep 0.01; done; exec "$@"`
    const bounds = { command: ["sh", "-c", script, "sh"], measured: false }
    return Effect.gen(function* () {
      const file = newFile()
      const working = yield* Effect.forkChild(call("until", file))
      yield* eventually(() => existsSync(first))
      const waiting = yield* Effect.forkChild(call("pid"))
      writeFileSync(file, "")
      const pid = yield* Fiber.join(working)
      assert.strictEqual(yield* Fiber.join(waiting), pid)
      writeFileSync(open, "")
      const both = yield* meeting
      assert.strictEqual(new Set(both).size, 2)
      assert.include(both, pid)
    }).pipe(Effect.provide(poolOf({ size: 2, bounds })))
  })

  it.live("the successor of a process is there when its last job is done", () => {
    const starts = newFile()
    const bounds = { command: ["sh", "-c", `echo >> ${starts}; exec "$@"`, "sh"], measured: false }
    const started = () => readFileSync(starts, "utf8").length
    return Effect.gen(function* () {
      const pid = yield* call("pid")
      for (let jobs = 1; jobs < 9; jobs++) assert.strictEqual(yield* call("pid"), pid)
      yield* eventually(() => started() === 2)
      assert.strictEqual(yield* call("pid"), pid)
      assert.notStrictEqual(yield* call("pid"), pid)
      assert.strictEqual(started(), 2)
    }).pipe(Effect.provide(poolOf({ size: 1, bounds, jobsPerProcess: 10 })))
  })

  it.live(
    "a process has its modules loaded before its first job; one that cannot be loaded harms no other",
    () =>
      Effect.gen(function* () {
        const [loaded, source] = [newFile(), `${newFile()}.mjs`]
        const code = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(loaded)}, "")\n`
        writeFileSync(source, code)
        const pool = yield* ParsingPool
        pool.prepare(pathToFileURL(`${source}.missing`).href)
        pool.prepare(pathToFileURL(source).href)
        yield* eventually(() => existsSync(loaded))
        assert.strictEqual(yield* call("echo", "next"), "next")
      }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("a process that died while it was idle is replaced", () =>
    Effect.gen(function* () {
      const pid = Number(yield* call("pid"))
      process.kill(pid, "SIGKILL")
      yield* eventually(() => !isRunning(pid))
      assert.notStrictEqual(yield* call("pid"), pid)
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("waiting for a free process is not counted in a job's time", () =>
    Effect.gen(function* () {
      const file = newFile()
      const [hung, waited] = yield* Effect.all(
        [reasonOf("hang", file, 3_000), call("echo", "waited", 2_500)],
        {
          concurrency: "unbounded",
        },
      )
      assert.strictEqual(hung._tag, "Timeout")
      assert.strictEqual(waited, "waited")
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("fairness: a check waits for no parse, however many there are", () =>
    Effect.gen(function* () {
      const files = [newFile(), newFile(), newFile()]
      const parses = yield* Effect.forEach(files, (file) => Effect.forkChild(call("hang", file)))
      yield* Effect.forEach(files.slice(0, 2), pidIn)
      const check = { owner: "one", kind: "check" } as const
      for (let n = 0; n < 20; n++) assert.strictEqual(yield* call("echo", n, 30_000, check), n)
      assert.isFalse(existsSync(files[2] ?? ""))
      yield* Effect.forEach(parses, Fiber.interrupt)
    }).pipe(Effect.provide(poolOf({ size: 2 }))),
  )

  it.live("fairness: an owner gives up one of several processes to another, and goes on later", () =>
    Effect.gen(function* () {
      const [ended, ...files] = [newFile(), newFile(), newFile()]
      const several = yield* Effect.forEach(files, (file) =>
        Effect.forkChild(call("startThenUntil", { started: file, end: ended })),
      )
      yield* Effect.forEach(files, (file) => eventually(() => existsSync(file)))
      const other = { owner: "other", kind: "parse" } as const
      assert.strictEqual(yield* call("echo", "in between", 30_000, other), "in between")
      for (const fiber of several) assert.isUndefined(fiber.pollUnsafe())
      writeFileSync(ended, "")
      for (const fiber of several) assert.isNumber(yield* Fiber.join(fiber))
    }).pipe(Effect.provide(poolOf({ size: 2 }))),
  )

  it.effect("of idle processes all but one end after a while", () =>
    Effect.gen(function* () {
      const pids = (yield* meeting).map(Number)
      assert.strictEqual(new Set(pids).size, 2)
      yield* TestClock.adjust("2 minutes")
      yield* eventually(() => pids.filter(isRunning).length === 1)
      assert.strictEqual(yield* call("pid"), pids.find(isRunning))
    }).pipe(Effect.provide(poolOf({ size: 2 }))),
  )

  it.live("a process sees no environment of the parent but where programs are", () =>
    Effect.gen(function* () {
      process.env["PARSING_POOL_TEST_SECRET"] = "secret"
      assert.deepStrictEqual(yield* call("environment"), ["PATH"])
    }).pipe(Effect.provide(poolOf({ size: 1 }))),
  )

  it.live("a module whose packages are links to those of another folder is as isolated as any", () => {
    const project = join(folder, "linked")
    const modules = join(project, "node_modules")
    const elsewhere = join(folder, "a".repeat(100), "node_modules")
    mkdirSync(modules, { recursive: true })
    for (let index = 0; index < 600; index++) {
      const name = `package-${index}`
      mkdirSync(join(elsewhere, name), { recursive: true })
      writeFileSync(join(elsewhere, name, "index.mjs"), `export default ${index}`)
      symlinkSync(join(elsewhere, name), join(modules, name))
    }
    const linked = join(project, "job.mjs")
    writeFileSync(
      linked,
      'import seven from "./node_modules/package-7/index.mjs"\nexport const answer = async () => seven\n',
    )
    // For the user of parsing processes, where that is another.
    for (const path of [folder, project, join(elsewhere, "..")]) chmodSync(path, 0o755)
    const level = (prepared: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const pool = yield* ParsingPool
        for (const url of prepared) pool.prepare(url)
        return (yield* pool.sandbox).level
      }).pipe(Effect.provide(ParsingPool.layer()))
    const answer = Effect.flatMap(ParsingPool, (pool) =>
      pool.call({
        ...one,
        module: pathToFileURL(linked).href,
        function: "answer",
        input: null,
        timeoutMillis: minutes,
      }),
    ).pipe(Effect.provide(ParsingPool.layer()))
    return Effect.gen(function* () {
      assert.strictEqual(yield* answer, 7)
      assert.strictEqual(yield* level([pathToFileURL(linked).href]), yield* level([]))
    })
  })

  it.effect(
    "a machine on which processes start slowly weakens no isolation: the next start tries the same",
    () => {
      const open = newFile()
      const script = `while [ ! -e ${open} ]; do sleep 0.01; done; exec "$@"`
      const slow = ParsingPool.layer({ bounds: { command: ["sh", "-c", script, "sh"], measured: false } })
      const moment = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      const minutesPass = Effect.forever(Effect.andThen(TestClock.adjust("1 minute"), moment))
      const sandbox = Effect.flatMap(ParsingPool, (pool) => pool.sandbox)
      const logged: Array<string> = []
      const logs = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
      return Effect.gen(function* () {
        yield* reportSandbox("auto")
        const late = yield* Effect.raceFirst(Effect.flip(sandbox), minutesPass)
        assert.include(late.detail, "was not ready within 120000 ms")
        // Who asks later is told as well.
        assert.strictEqual(yield* Effect.flip(sandbox), late)
        writeFileSync(open, "")
        // What asks while the late process is being ended is refused with it.
        assert.strictEqual(yield* Effect.eventually(call("echo", 7)), 7)
        const found = yield* sandbox
        assert.deepStrictEqual(found, yield* Effect.provide(sandbox, ParsingPool.layer()))
        yield* TestClock.adjust("1 minute")
        assert.lengthOf(logged, 2)
        assert.include(logged[0], "none has started yet")
        assert.include(logged[1], `sandbox ${found.level}`)
      }).pipe(Effect.provide([slow, logs]))
    },
  )

  it.live("no process outlives the scope, not even one that hangs", () =>
    Effect.gen(function* () {
      const file = newFile()
      const idle = yield* call("pid").pipe(
        Effect.tap(() => Effect.forkDetach(Effect.ignore(call("hang", file)))),
        Effect.tap(() => pidIn(file)),
        Effect.provide(poolOf({ size: 2 })),
      )
      assert.isFalse(isRunning(Number(idle)))
      assert.isFalse(isRunning(yield* pidIn(file)))
    }),
  )

  it.live.each(["auto", "off"] as const)(
    "no process outlives a parent that is killed, not even one that hangs: sandbox %s",
    (sandbox) =>
      Effect.gen(function* () {
        const file = newFile()
        const parent = spawn(
          process.execPath,
          [
            "--conditions=atelier:source",
            fileURLToPath(siblingModule("parent", import.meta.url)),
            sandbox,
            file,
          ],
          { stdio: "ignore" },
        )
        yield* eventually(() => existsSync(file) && readFileSync(file, "utf8") !== "")
        const pids = yield* Effect.promise(() => descendants(parent.pid ?? 0))
        assert.isNotEmpty(pids)
        parent.kill("SIGKILL")
        yield* eventually(() => !pids.some(isRunning))
      }),
  )

  describe.runIf(process.platform === "linux")("on Linux", () => {
    const parentOf = (pid: number) =>
      Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])

    /** Its command is the program of the processes, without a flag. */
    const isForkServer = (pid: number) => {
      try {
        const [, program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
        return program.includes("ParsingProcess")
      } catch {
        return false
      }
    }

    it.live(
      "the pool's process forks once, however many processes are replaced: a small one forks them",
      () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* call("parent"), process.pid)
          const parents: Array<number> = []
          for (let crash = 0; crash < 3; crash++) {
            yield* reasonOf("exit")
            parents.push(Number(yield* call("parent")))
          }
          assert.strictEqual(new Set(parents).size, 1)
          assert.strictEqual(parentOf(parents[0] ?? 0), process.pid)
        }).pipe(Effect.provide(poolOf({ size: 1 }))),
    )

    it.live("where the process that forks is killed, its processes end, and another one forks the next", () =>
      Effect.gen(function* () {
        yield* reasonOf("exit")
        const first = Number(yield* call("parent"))
        const file = newFile()
        const hanging = yield* Effect.forkChild(Effect.flip(call("hang", file, minutes)))
        const pid = yield* pidIn(file)
        process.kill(first, "SIGKILL")
        const { reason } = yield* Fiber.join(hanging)
        assert.strictEqual(reason._tag, "Crashed")
        yield* eventually(() => !isRunning(pid))
        assert.notStrictEqual(yield* call("parent"), first)
      }).pipe(Effect.provide(poolOf({ size: 1 }))),
    )

    it.live("what a process says while this one stands still is read afterwards", () =>
      Effect.gen(function* () {
        yield* reasonOf("exit")
        for (let turns = 1; turns < 8; turns++) {
          yield* call("pid")
          yield* reasonOf("exit")
          const next = yield* Effect.forkChild(call("pid"))
          // Some of these moments lie between the start of a process and the hand-over of its pipes.
          for (let turn = 0; turn < turns; turn++) yield* nextTurn
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
          assert.isNumber(yield* Fiber.join(next))
        }
      }).pipe(Effect.provide(poolOf({ size: 1 }))),
    )

    it.live("the last words of a process that does not start are told, whoever forks it", () => {
      const broken = newFile()
      const script = `if [ -e ${broken} ]; then echo no more >&2; exit 3; fi; exec "$@"`
      return Effect.gen(function* () {
        yield* call("pid")
        writeFileSync(broken, "")
        yield* reasonOf("exit")
        const reason = yield* reasonOf("pid")
        assert.deepInclude(reason, {
          _tag: "Unavailable",
          detail: "the process ended: no more (code 3, signal null)",
        })
      }).pipe(
        Effect.provide(poolOf({ size: 1, bounds: { command: ["sh", "-c", script, "sh"], measured: false } })),
      )
    })

    it.live("no process outlives a parent that is killed while a process is handed over to it", () =>
      Effect.gen(function* () {
        const file = newFile()
        const stalled = fileURLToPath(siblingModule("stalledParent", import.meta.url))
        const parent = spawn(process.execPath, ["--conditions=atelier:source", stalled, file], {
          stdio: "ignore",
        })
        yield* eventually(() => existsSync(file))
        let pids: ReadonlyArray<number> = []
        while (pids.length < 2) pids = yield* Effect.promise(() => descendants(parent.pid ?? 0))
        parent.kill("SIGKILL")
        yield* eventually(() => !pids.some(isRunning))
      }),
    )

    it.live("the process that forks starts before it is needed, and ends with the scope", () =>
      Effect.gen(function* () {
        const ready = Effect.gen(function* () {
          yield* call("pid")
          for (;;) {
            const all = yield* Effect.promise(() => descendants(process.pid))
            const forking = all.filter((pid) => isForkServer(pid))
            if (forking.length > 0) return forking
          }
        })
        const forking = yield* Effect.provide(ready, poolOf({ size: 1 }))
        assert.lengthOf(forking, 1)
        assert.isFalse(forking.some(isRunning))
      }),
    )
  })

  it.live("files are handed over as bytes, and what is written is bounded and goes nowhere else", () =>
    Effect.gen(function* () {
      const [document, result] = [newFile(), newFile()]
      writeFileSync(document, "x".repeat(3_000_000))
      const copy = (name: string, writeBytesMax: number, written = new Written(async () => result, 0)) =>
        Effect.flatMap(ParsingPool, (pool) =>
          pool.call({
            ...one,
            module,
            function: "copy",
            input: { name },
            reads: { document: { path: document } },
            writes: { result: written },
            writeBytesMax,
            timeoutMillis: 30_000,
          }),
        )
      assert.strictEqual(yield* copy("result", 3_000_000), 3_000_000)
      assert.isTrue(readFileSync(result).equals(readFileSync(document)))
      const held = new Written(() => Promise.reject(new Error("no file is needed")), 3_000_000)
      assert.strictEqual(yield* copy("result", 3_000_000, held), 3_000_000)
      assert.deepStrictEqual(held.content, { data: readFileSync(document) })
      const tooMuch = yield* Effect.flip(copy("result", 2_999_999))
      assert.deepInclude(tooMuch.reason, { detail: "Error: the process writes more than 2999999 bytes" })
      const elsewhere = yield* Effect.flip(copy("other", 3_000_000))
      assert.deepInclude(elsewhere.reason, { _tag: "Crashed" })
      assert.strictEqual(yield* call("echo", "next"), "next")
    }).pipe(Effect.provide(ParsingPool.layer({ size: 1 }))),
  )

  it.live("a process that speaks out of turn, or at too great length, is ended", () =>
    Effect.gen(function* () {
      for (const frame of ["unknownFile", "longFrame", "noReply"]) {
        assert.strictEqual((yield* reasonOf("speak", frame))._tag, "Crashed", frame)
      }
      assert.strictEqual(yield* call("echo", "next"), "next")
    }).pipe(Effect.provide(ParsingPool.layer({ size: 1 }))),
  )
})
