import { describe, expect, it } from "vitest"
import { runProgram } from "../scripts/program.ts"
import { isAlive } from "./support/processes.ts"

const node = (script: string, secondsMax = 300) =>
  runProgram(process.execPath, ["--eval", script], { secondsMax })

/** Starts a process that never ends and holds the output open, and prints its id. */
const leaveBehind = `
  const { spawn } = require("node:child_process")
  const left = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "inherit" })
  process.stdout.write(String(left.pid))
  left.unref()
`

describe("programs of the check", () => {
  it("are told with what they printed and how they ended", async () => {
    expect(await node(`console.log("one"); console.error("two")`)).toEqual({
      stdout: "one\n",
      stderr: "two\n",
      problem: undefined,
    })
    expect(await node("process.exit(3)")).toMatchObject({ problem: "ended with 3" })
    expect(await node("process.kill(process.pid, 'SIGTERM')")).toMatchObject({
      problem: "ended with SIGTERM",
    })
  })

  it("end with all that they started, which holds up nothing", async () => {
    const { stdout, problem } = await node(`${leaveBehind}; process.exitCode = 3`)
    expect(problem).toBe("ended with 3")
    await expect.poll(() => isAlive(Number(stdout))).toBe(false)
  })

  it("that hang are killed with all that they started", async () => {
    const hangs = ["-c", "sleep 3600 & echo $!; wait"]
    const { stdout, problem } = await runProgram("sh", hangs, { secondsMax: 5 })
    expect(problem).toBe("did not end within 5 s")
    await expect.poll(() => isAlive(Number(stdout))).toBe(false)
  })
})
