/** A bare server that refuses every request: what refusals cost at the least. Prints its port. */
import { createServer } from "node:http"

const text = JSON.stringify({
  error: { code: "overloaded", message: "too much" },
  request_id: "r".repeat(30),
})
const server = createServer((_request, response) => {
  response.writeHead(503, {
    "content-type": "application/json",
    "content-length": text.length,
    "retry-after": "1",
  })
  response.end(text)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") console.log(address.port)
})
