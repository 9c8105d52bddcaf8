import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, type Installation, install, launch, run } from "./support/server.ts"

const keyA = Buffer.alloc(32, 1).toString("base64")
const keyB = Buffer.alloc(32, 2).toString("hex")

let installation: Installation
let user: string

const command = (args: ReadonlyArray<string>, secretKey = "") =>
  run(installation, args, { ATELIER_SECRET_KEY: secretKey })

const json = async (args: ReadonlyArray<string>, secretKey = ""): Promise<unknown> => {
  const { code, stdout, stderr } = await command([...args, "--json"], secretKey)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** The stored webhook secrets. */
const stored = (): ReadonlyArray<string> => {
  const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"), { readOnly: true })
  const rows = database.prepare("SELECT webhook_secret AS secret FROM api_keys ORDER BY id").all()
  database.close()
  return rows.map(({ secret }) => String(secret))
}

const secretsFinding = async (secretKey: string) => {
  const { stdout } = await command(["doctor"], secretKey)
  return stdout.split("\n").find((line) => line.includes(" secrets "))
}

beforeAll(async () => {
  installation = await install()
  user = String(at(await json(["users", "create", "Ada"]), "id"))
  await json(["keys", "create", user])
})
afterAll(() => installation.remove())

describe("ATELIER_SECRET_KEY", { timeout: 300_000 }, () => {
  it("encrypts webhook secrets from then on; plain ones are read, and encrypted when they are written", async () => {
    expect(stored()[0]).toMatch(/^whsec_/)
    expect(await secretsFinding("")).toMatch(/^ok .* 0 encrypted, 1 not/)
    const made = await json(["keys", "create", user], keyA)
    const secret = String(at(made, "webhook_secret"))
    expect(secret).toMatch(/^whsec_/)
    const [plain, sealed] = stored()
    expect(plain).toMatch(/^whsec_/)
    expect(sealed).toMatch(/^sealed:1:/)
    expect(sealed).not.toContain(secret.slice(6))
    expect(await secretsFinding(keyA)).toMatch(/^ok .* 1 encrypted, 0 with an older key, 1 not/)
    const keys = await json(["keys", "list", user], keyA)
    await json(["keys", "disable", String(at(keys, "1.id"))], keyA)
    expect(stored()[0]).toMatch(/^sealed:1:/)
  })

  it("another key, or none, refuses the start by the name of the setting", async () => {
    for (const wrong of [keyB, ""]) {
      const { code, stderr } = await command(["users", "list"], wrong)
      expect(code).toBe(1)
      expect(stderr).toContain("ATELIER_SECRET_KEY")
      expect(stderr).not.toContain(keyB)
      expect(await secretsFinding(wrong)).toMatch(/^FAIL .*ATELIER_SECRET_KEY/)
    }
    const environment = { ...installation.environment, ATELIER_SECRET_KEY: keyB }
    const server = launch({ ...installation, environment })
    await expect(server.ready).rejects.toThrow("ATELIER_SECRET_KEY")
  })

  it("a new key comes first and the old one after it, until everything is encrypted with the new one", async () => {
    expect(await secretsFinding(`${keyB},${keyA}`)).toMatch(/ 0 encrypted, 2 with an older key/)
    expect(await json(["keys", "seal"], `${keyB},${keyA}`)).toEqual({ sealed: 2 })
    expect(await json(["keys", "seal"], `${keyB},${keyA}`)).toEqual({ sealed: 0 })
    expect(await secretsFinding(keyB)).toMatch(/^ok .* 2 encrypted, 0 with an older key, 0 not/)
  })

  it("an invalid key is refused, and not shown", async () => {
    const { code, stderr } = await command(["users", "list"], "too-short-a-secret")
    expect(code).toBe(1)
    expect(stderr).toContain("ATELIER_SECRET_KEY: expected 32 bytes in base64 or hex")
    expect(stderr).not.toContain("too-short")
  })
})

describe("atelier tokens", { timeout: 300_000 }, () => {
  it("makes, lists, rotates and disables admin tokens, and says so in the audit log", async () => {
    const made = await json(["tokens", "create", "Grace", "--role", "support"], keyB)
    expect(made).toMatchObject({ name: "Grace", role: "support", disabled: false, expires_at: null })
    const id = String(at(made, "id"))
    expect(String(at(made, "token"))).toMatch(/^sk-atladm-[\w-]{43}$/)
    const rotated = await json(["tokens", "rotate", id, "--overlap-seconds", "60"], keyB)
    expect(at(rotated, "token")).not.toBe(at(made, "token"))
    expect(await json(["tokens", "disable", id], keyB)).toMatchObject({ id, disabled: true })
    expect(await json(["tokens", "list"], keyB)).toMatchObject([{ id, disabled: true }])
    const entries = await json(["audit", "--target", id], keyB)
    expect(entries).toMatchObject([
      { action: "token.update", actor: "command", outcome: "done" },
      { action: "token.rotate" },
      { action: "token.create" },
    ])
    expect(JSON.stringify(entries)).not.toContain(String(at(made, "token")))
  })
})
