import { startFauxqs } from "fauxqs"

/** The process of an S3 server: prints its port when it listens, and ends with the process that started it. */
const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false })
process.stdout.write(`${server.port}\n`)
process.stdin.on("end", () => process.exit(0)).resume()
