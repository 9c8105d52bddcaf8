import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import { join } from "node:path"
import { Api } from "@atelier/api"
import * as OpenApi from "effect/http-api/OpenApi"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { parseAllDocuments } from "yaml"
import { filesBelow, root } from "../scripts/workspace.ts"
import { pages, rowsOf } from "./support/markdown.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { type S3Server, startS3 } from "./support/s3Server.ts"
import {
  adminToken,
  at,
  call,
  type Installation,
  install,
  run,
  type Server,
  serve,
} from "./support/server.ts"

const read = (path: string): string => readFileSync(join(root, "deploy", path), "utf8")
const documents = (path: string) =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as unknown
  })

/** What a file starts: the arguments behind the entry point, and the environment. */
interface Start {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

const texts = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, text]) => [name, String(text)]))

const ofCompose = (): ReadonlyArray<Start> => {
  const [file] = documents("compose.yaml")
  const example = Object.fromEntries(
    [...read("example.env").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  )
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::\?|:-([^}]*))?\}/g, (_, name, other) => example[name] ?? other ?? "")
  return ["api", "worker"].map((name) => {
    const service = at(file, `services.${name}`)
    const environment = texts(at(service, "environment"))
    return {
      name: `compose.yaml ${name}`,
      args: Object.values(texts(at(service, "command"))),
      environment: Object.fromEntries(
        Object.entries(environment).map(([variable, text]) => [variable, filled(text)]),
      ),
    }
  })
}

const ofKubernetes = (): ReadonlyArray<Start> => {
  const all = documents("kubernetes.yaml")
  const byKind = (kind: string) => all.filter((each) => at(each, "kind") === kind)
  const environment = {
    ...texts(at(byKind("ConfigMap")[0], "data")),
    ...texts(at(byKind("Secret")[0], "stringData")),
  }
  return byKind("Deployment").map((deployment) => ({
    name: `kubernetes.yaml ${at(deployment, "metadata.name")}`,
    args: Object.values(texts(at(deployment, "spec.template.spec.containers.0.args"))),
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => /^[A-Z_]+$/.test(name))),
  }))
}

const starts = [...ofCompose(), ...ofKubernetes()]

let postgres: PostgresServer
let s3: S3Server
let installation: Installation | undefined
let server: Server | undefined

beforeAll(async () => {
  postgres = await startPostgres()
  s3 = await startS3()
})
afterEach(async () => {
  await server?.end("SIGKILL")
  installation?.remove()
})
afterAll(async () => {
  await postgres.stop()
  await s3.stop()
})

/** The URL of the file, with a bucket that there is. */
const blobsHere = async (url: string): Promise<string> => {
  expect(url).toMatch(/^s3:/)
  const [, query] = url.split("?")
  const parameters = new URLSearchParams(query)
  parameters.set("endpoint", s3.endpoint)
  return `s3://${await s3.bucket()}?${parameters}`
}

describe("deploy: the files are of this program", () => {
  it.each(starts)("$name starts, with its command and its settings", async ({ args, environment }) => {
    installation = await install({})
    // Everything as in the file, but for where the neighbours are and which port is free here.
    const here = {
      ATELIER_DATABASE_URL: await postgres.database(),
      ATELIER_BLOB_URL: await blobsHere(environment["ATELIER_BLOB_URL"] ?? ""),
      ATELIER_CONFIG: "atelier.config.json",
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_HOST: "127.0.0.1",
      ATELIER_PORT: installation.environment["ATELIER_PORT"] ?? "",
      ...s3.credentials,
    }
    for (const name of ["ATELIER_DATABASE_URL", "ATELIER_BLOB_URL", "ATELIER_CONFIG", "AWS_ACCESS_KEY_ID"]) {
      expect(Object.keys(environment)).toContain(name)
    }
    const [command, ...flags] = args
    expect(command).toBe("serve")
    server = await serve(
      { ...installation, environment: { ...installation.environment, ...environment, ...here } },
      "serve",
      flags,
    )
    expect((await call(`${server.url}/readyz`)).status).toBe(200)
    expect(await server.end("SIGTERM"), server.output()).toBe(0)
  })

  it("every variable that they set is one of the program's", () => {
    const settings = pages().find(({ path }) => path === "docs/operate/settings.md")
    if (settings === undefined) throw new Error("there is no page of settings")
    const known = rowsOf(settings).map(([name = ""]) => name.replaceAll("`", ""))
    const named = filesBelow(join(root, "deploy")).flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/\bATELIER_[A-Z_]+/g)].map(([name]) => name),
    )
    expect(named.length).toBeGreaterThan(10)
    expect([...new Set(named)].filter((name) => !known.join(" ").includes(name))).toEqual([])
  })

  it("the configuration that they bring is accepted", async () => {
    const compose = String(at(documents("compose.yaml")[0], "configs.atelier.content"))
    const [, map] = documents("kubernetes.yaml")
    const kubernetes = String(Object(at(map, "data"))["atelier.config.json"])
    for (const config of [compose, kubernetes]) {
      installation = await install(JSON.parse(config))
      server = await serve(installation)
      await server.end("SIGTERM")
      installation.remove()
    }
  })

  it("the files contain no usable admin token: nothing starts before the operator sets one", async () => {
    const example = read("example.env")
    const needed = [...read("compose.yaml").matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name ?? "")
    expect(needed).toContain("ATELIER_ADMIN_TOKEN")
    // Compose refuses a variable with `:?` that is empty.
    for (const name of needed) expect(example).toMatch(new RegExp(`^${name}=$`, "m"))
    const tokens = filesBelow(join(root, "deploy")).flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/ATELIER_ADMIN_TOKEN(?:=|: +)([^\s$]\S*)/g)].map(
        ([, token]) => token,
      ),
    )
    expect(tokens.length).toBeGreaterThan(0)
    installation = await install()
    for (const token of tokens) {
      const refused = await run(installation, ["serve"], { ATELIER_ADMIN_TOKEN: token ?? "" })
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("ATELIER_ADMIN_TOKEN: ")])
    }
  })

  it("proxies that are believed are single addresses: that of the front, and no network", () => {
    const [compose, map] = [documents("compose.yaml")[0], documents("kubernetes.yaml")[1]]
    const proxiesIn = (config: unknown) => at(JSON.parse(String(config)), "network.trusted_proxies")
    expect(proxiesIn(at(compose, "configs.atelier.content"))).toEqual([
      at(compose, "services.front.networks.default.ipv4_address"),
    ])
    const trusted = Object.values(texts(proxiesIn(Object(at(map, "data"))["atelier.config.json"])))
    expect(trusted.map(isIP)).toEqual([4])
    const fronts = `${read("nginx.conf")}${read("Caddyfile")}`
    expect(fronts).not.toMatch(/private_ranges|10\.0\.0\.0|172\.16\.|192\.168\./)
    // A client's own header does not get through.
    expect(fronts).toContain("proxy_set_header X-Forwarded-For $remote_addr;")
  })

  it("the fronts keep /admin and /metrics from outside", () => {
    const outside =
      /server \{\s+listen 80 default_server;[\s\S]*?\n {2}\}/.exec(read("nginx.conf"))?.[0] ?? ""
    for (const location of ["= /metrics", "/admin"]) {
      expect(outside).toContain(`location ${location} {\n      return 404;\n    }`)
    }
    const ports = Object.values(texts(at(documents("compose.yaml")[0], "services.front.ports")))
    expect(ports).toEqual(["8080:80", "127.0.0.1:8081:81"])
    expect(read("Caddyfile")).toMatch(
      /path \/metrics \/admin \/admin\/\*\n\t+not remote_ip 127\.0\.0\.0\/8 ::1\n/,
    )
  })

  it("whatever starts the server limits Node's young generation alike (decision 9)", () => {
    const starts = [
      ...read("Dockerfile").matchAll(/^ENTRYPOINT \["node", "(\S+)", /gm),
      ...["api", "worker"].flatMap((role) => [
        ...read(`systemd/atelier-${role}@.service`).matchAll(/^ExecStart=\/usr\/bin\/node (\S+) /gm),
      ]),
      ...readFileSync(join(root, "package.json"), "utf8").matchAll(/"atelier": "node (\S+) /g),
    ]
    expect(starts.map(([, flag]) => flag)).toEqual(Array(4).fill("--max-semi-space-size=16"))
  })

  it("the paths that probes and proxies name are paths of the server", () => {
    const paths = Object.keys(OpenApi.fromApi(Api).paths)
    const probes = [...read("kubernetes.yaml").matchAll(/httpGet: \{ path: (\S+),/g)].map(([, path]) => path)
    const checked = [...read("Caddyfile").matchAll(/health_uri (\S+)/g)].map(([, path]) => path)
    const image = [...read("Dockerfile").matchAll(/127\.0\.0\.1:8787(\/\w+)/g)].map(([, path]) => path)
    expect(probes.length + checked.length + image.length).toBeGreaterThan(5)
    for (const path of [...probes, ...checked, ...image]) expect(paths).toContain(path)
    const events = /location ~ (\S+events\$) \{/.exec(read("nginx.conf"))?.[1] ?? "none"
    expect(
      paths.map((path) => path.replace(/\{[^}]+\}/g, "x")).filter((path) => new RegExp(events).test(path)),
    ).toEqual(["/v1/tasks/x/events"])
  })
})
