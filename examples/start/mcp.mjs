import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const { ATELIER_URL, ATELIER_API_KEY } = process.env
const client = new Client({ name: "first-steps", version: "1.0.0" })
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${ATELIER_URL}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${ATELIER_API_KEY}` } },
  }),
)

const { content } = await client.callTool({
  name: "generate_image",
  arguments: { model: "gen-image-2", prompt: "A lighthouse at dusk", max_cost_usd: 0.05 },
})
for (const part of content) console.log(part.text ?? part.uri ?? part.mimeType)
await client.close()
