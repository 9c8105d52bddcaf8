import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountGroup } from "./Account.ts"
import { AdminGroup } from "./Admin.ts"
import { ImagesGroup } from "./Images.ts"
import { ModelsGroup } from "./Models.ts"
import { SystemGroup } from "./System.ts"
import { TasksGroup } from "./Tasks.ts"
import { ToolsGroup } from "./Tools.ts"

const description = `
Paid, slow jobs behind one API key: make images, parse documents. Submit and get a task id at once; the fee is
held; poll, wait, watch or be called back; success settles the fee, failure gives it back.

- Every request carries \`Authorization: Bearer <API_KEY>\`.
- Every error has the same body, \`{ error: { message, type, code, param }, request_id }\`; decide by \`code\`.
- After a time-out or a lost answer repeat with the same \`Idempotency-Key\`; a new operation takes a new one. The
  synchronous \`/v1/images/generations\` ignores the key unless the operator turned it on
  (\`synchronous_idempotency\`): there a repetition is another, paid, generation.
- Times are Unix seconds, sizes bytes, amounts account quota units (500,000 units are 1 USD by default).
`.trim()

/** The whole contract: one definition for the server, the OpenAPI document and typed clients. */
export class Api extends HttpApi.make("atelier")
  .add(ModelsGroup, ImagesGroup, TasksGroup, ToolsGroup, AccountGroup, AdminGroup, SystemGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Atelier",
      version: "1",
      description,
      license: { name: "MIT", identifier: "MIT" },
    }),
  ) {}

/** The part that a worker process serves: liveness, readiness and metrics. */
export class SystemApi extends HttpApi.make("atelier").add(SystemGroup) {}

/** The contract as an OpenAPI document, which is generated from `Api` with the release. */
export const openApiFile = new URL("../openapi.json", import.meta.url)
