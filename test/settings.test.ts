import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Installation, install, launch, run } from "./support/server.ts"

let installation: Installation

beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** A start that is refused: exit code 1 and one line, which holds every one of `words`. */
const expectRefusal = async (environment: Readonly<Record<string, string>>, words: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(installation, ["serve"], environment)
  expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
    code: 1,
    stdout: "",
    lines: 1,
  })
  for (const word of words) expect(stderr).toContain(word)
  return stderr
}

describe("contract, Running it: a bad setting refuses the start and is named", () => {
  it.each([
    ["ATELIER_PORT", "80800", "an integer from 0 to 65535"],
    ["ATELIER_PORT", "8o", "an integer from 0 to 65535"],
    ["ATELIER_SANDBOX", "strong", "auto, require or off"],
    ["ATELIER_LOG_LEVEL", "loud", "debug, info, warn or error"],
    ["ATELIER_HOST", "not a host", "an IP address or a host name"],
    ["ATELIER_HOST", "256.1.1.1", "an IP address or a host name"],
    ["ATELIER_DATABASE_URL", "mysql://localhost/atelier", "sqlite:PATH"],
    ["ATELIER_DATABASE_URL", "postgres://localhost", "postgres://USER:PASSWORD@HOST:PORT/DATABASE"],
    ["ATELIER_DATABASE_URL", "sqlite::memory:", "sqlite:PATH"],
    ["ATELIER_BLOB_URL", "s3://bucket", "s3://BUCKET/PREFIX?region=REGION"],
    ["ATELIER_BLOB_URL", "s3://Bucket?region=eu-west-1", "s3://BUCKET/PREFIX?region=REGION"],
    ["ATELIER_BLOB_URL", "s3://bucket/a//b?region=eu-west-1", "s3://BUCKET/PREFIX?region=REGION"],
    ["ATELIER_BLOB_URL", "s3://bucket?region=eu-west-1&acl=public", "s3://BUCKET/PREFIX?region=REGION"],
    ["ATELIER_BLOB_URL", "s3://bucket?region=eu-west-1&region=a", "s3://BUCKET/PREFIX?region=REGION"],
    ["ATELIER_BLOB_URL", "s3://bucket?endpoint=localhost:9000", "s3://BUCKET/PREFIX?endpoint=URL"],
    ["ATELIER_BLOB_URL", "s3://bucket?endpoint=http://a:b@localhost", "s3://BUCKET/PREFIX?endpoint=URL"],
    ["ATELIER_BLOB_URL", "./blobs", "file:PATH"],
    ["ATELIER_PUBLIC_URL", "atelier.example.com", "an http:// or https:// URL"],
    ["ATELIER_MEDIA_URL", "https://media.example.com/?a=1", "an http:// or https:// URL"],
    ["ATELIER_CONFIG", "absent.json", "a readable JSON file"],
  ])("%s=%s", async (name, value, allowed) => {
    await expectRefusal({ [name]: value }, [`${name}: `, value.split("?")[0] ?? "", allowed])
  })

  it.each(["change-me-it-must-be-long", "change-me", "CHANGEME-0123456789abcdef"])(
    "ATELIER_ADMIN_TOKEN=%s, which an example file says, is public; it is refused and not repeated",
    async (value) => {
      const refused = await expectRefusal({ ATELIER_ADMIN_TOKEN: value }, [
        "ATELIER_ADMIN_TOKEN: ",
        "openssl rand",
      ])
      expect(refused).not.toContain(value)
    },
  )

  it("ATELIER_SANDBOX=require, where the system has no way to it", async () => {
    // Without the system's tools there is no namespace to be had.
    await expectRefusal({ ATELIER_SANDBOX: "require", PATH: join(installation.directory, "no-tools") }, [
      "ATELIER_SANDBOX: ",
      "no sandbox as require asks for",
    ])
  })

  it("a bucket without its credentials", async () => {
    const url = { ATELIER_BLOB_URL: "s3://bucket?region=eu-west-1" }
    await expectRefusal(url, ["AWS_ACCESS_KEY_ID: ", "not set", "ATELIER_BLOB_URL names a bucket"])
    const half = { ...url, AWS_ACCESS_KEY_ID: "AKIDEXAMPLE" }
    await expectRefusal(half, ["AWS_SECRET_ACCESS_KEY: ", "not set"])
    const bad = await expectRefusal({ ...half, AWS_SECRET_ACCESS_KEY: "with spaces" }, [
      "AWS_SECRET_ACCESS_KEY: ",
    ])
    expect(bad).not.toContain("with spaces")
    const inUrl = { ATELIER_BLOB_URL: "s3://AKIDEXAMPLE:hunter2@bucket?region=eu-west-1" }
    expect(await expectRefusal(inUrl, ["ATELIER_BLOB_URL: "])).not.toContain("hunter2")
  })

  it("shows no secret: neither the admin token nor a password in a URL", async () => {
    const token = await expectRefusal({ ATELIER_ADMIN_TOKEN: "secret with spaces" }, [
      "ATELIER_ADMIN_TOKEN: ",
    ])
    expect(token).not.toContain("secret with")
    const url = "postgres://ada:hunter2@db.example.com/?password=hunter2"
    const database = await expectRefusal({ ATELIER_DATABASE_URL: url }, [
      "ATELIER_DATABASE_URL: ",
      "db.example.com",
    ])
    expect(database).not.toContain("hunter2")
    const unreachable = "postgres://ada:hunter2@127.0.0.1:1/atelier"
    const refused = await run(installation, ["serve"], { ATELIER_DATABASE_URL: unreachable })
    expect(refused.stderr).toMatch(/^atelier: ATELIER_DATABASE_URL: .*\n$/)
    expect([refused.code, `${refused.stdout}${refused.stderr}`.includes("hunter2")]).toEqual([1, false])
    // Each try is said.
    expect(refused.stdout).toContain("the database does not answer; the start waits for it")
    const config = `{ "converter": { "adapter": "magic", "api_key": "hunter2" } }`
    writeFileSync(join(installation.directory, "bad.json"), config)
    const converter = await expectRefusal({ ATELIER_CONFIG: "bad.json" }, ["converter", "magic"])
    expect(converter).not.toContain("hunter2")
  })

  it.each([
    ["not JSON", "{", ["bad.json", "not valid JSON"]],
    ["an unknown name", `{ "chanels": [] }`, ["chanels in bad.json", "no such setting"]],
    ["an unknown limit", `{ "limits": { "drian_ms": 1 } }`, ["limits.drian_ms in bad.json"]],
    [
      "a limit out of bounds",
      `{ "limits": { "drain_ms": 60000 } }`,
      ["limits.drain_ms", "from 1 to 9000", "60000"],
    ],
    ["a limit of another type", `{ "limits": { "rate_burst": "120" } }`, ["limits.rate_burst", `"120"`]],
    [
      "a channel without its address",
      `{ "channels": [{ "id": "a", "adapter": "openai-images", "models": {} }] }`,
      ["channels.0.base_url", "missing"],
    ],
    [
      "an adapter that there is not",
      `{ "channels": [{ "id": "a", "adapter": "crayons", "models": {} }] }`,
      ["channels.0", "crayons"],
    ],
    [
      "an option of another adapter",
      `{ "channels": [{ "id": "a", "adapter": "imagine", "base_url": "https://a.example", "models": {}, "options": { "steps": 3 } }] }`,
      ["channels.0.options.steps", "no such setting"],
    ],
    [
      "a key whose variable is not set",
      `{ "channels": [{ "id": "a", "adapter": "imagine", "base_url": "https://a.example", "api_key_env": "NO_SUCH_KEY", "models": {} }] }`,
      ["channels (a)", "NO_SUCH_KEY"],
    ],
    [
      "two channels of one name",
      `{ "channels": [{ "id": "a", "adapter": "local", "models": {} }, { "id": "a", "adapter": "faulty", "models": {} }] }`,
      ["channels in bad.json", "same id"],
    ],
    ["a converter that there is not", `{ "converter": { "adapter": "magic" } }`, ["converter", "magic"]],
    [
      "a converter without its address",
      `{ "converter": { "adapter": "tika" } }`,
      ["converter.base_url in bad.json", "missing"],
    ],
    [
      "a converter's address that is none",
      `{ "converter": { "adapter": "docling-serve", "base_url": "localhost:5001" } }`,
      ["converter.base_url in bad.json", "http or https URL", "localhost:5001"],
    ],
    [
      "a converter's setting that it does not have",
      `{ "converter": { "adapter": "embedded", "base_url": "https://a.example" } }`,
      ["converter.base_url in bad.json", "no such setting"],
    ],
    [
      "a converter without its account",
      `{ "converter": { "adapter": "cloudflare", "api_key": "a" } }`,
      ["converter.account_id in bad.json", "missing"],
    ],
    [
      "a converter without its key",
      `{ "converter": { "adapter": "cloudflare", "account_id": "a" } }`,
      ["converter: ", "api_key_env"],
    ],
    [
      "a converter's key whose variable is not set",
      `{ "converter": { "adapter": "docling-serve", "base_url": "http://a.example", "api_key_env": "NO_SUCH_KEY" } }`,
      ["converter: ", "NO_SUCH_KEY"],
    ],
    [
      "a converter with two keys",
      `{ "converter": { "adapter": "cloudflare", "account_id": "a", "api_key": "a", "api_key_env": "HOME" } }`,
      ["converter: ", "not both"],
    ],
    [
      "a price that is no decimal",
      `{ "tools": { "text-md-json": { "unit_price": "-1" } } }`,
      ["tools.text-md-json.unit_price", `"-1"`],
    ],
    ["an unknown tool", `{ "tools": { "txt-md-json": { "published": false } } }`, ["tools.txt-md-json"]],
    ["an unknown model", `{ "models": { "gen-imgae-*": { "enabled": false } } }`, ["models.gen-imgae-*"]],
    [
      "an invalid address",
      `{ "network": { "allow_private": ["10/8"] } }`,
      ["network.allow_private.0", "10/8"],
    ],
    ["units that are no integer", `{ "units_per_usd": 0.5 }`, ["units_per_usd", "0.5"]],
  ])("in the configuration file: %s", async (_name, text, words) => {
    writeFileSync(join(installation.directory, "bad.json"), text)
    await expectRefusal({ ATELIER_CONFIG: "bad.json" }, words)
  })

  it("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" && address !== null ? String(address.port) : ""
    const { code, stderr } = await run(installation, ["serve"], { ATELIER_PORT: port })
    other.close()
    expect(code).toBe(1)
    expect(stderr).toBe(`atelier: ATELIER_PORT: 127.0.0.1:${port} is already in use\n`)
  })
})

describe("ATELIER_LOG_LEVEL", () => {
  it("error: lines of info are not logged, and the server runs all the same", async () => {
    const own = await install()
    const server = launch({ ...own, environment: { ...own.environment, ATELIER_LOG_LEVEL: "error" } })
    try {
      const status = () =>
        fetch(`${own.url}/healthz`).then(
          (answer) => answer.status,
          () => 0,
        )
      await expect.poll(status, { timeout: 60_000 }).toBe(200)
    } finally {
      await server.end("SIGTERM")
      own.remove()
    }
    expect(server.output()).toBe("")
  })
})
