import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * Effect has Node check every body against its declared length, which makes Node send head and body of a small
 * answer in two pieces: half the cost of a request. A body given whole, as text, has had its length computed from
 * it, and is sent with its head in one write; streams stay checked.
 */
export class OneWriteResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override end(...args: ReadonlyArray<unknown>): this {
    if (typeof args[0] === "string") this.strictContentLength = false
    return Reflect.apply(super.end, this, args)
  }
}
