import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { accepted } from "./documents/accepted.ts"
import { archives } from "./documents/archives.ts"
import { kinds } from "./documents/kinds.ts"
import { xmlFaults } from "./documents/xmlFaults.ts"
import { root } from "./workspace.ts"

/**
 * Writes the documents of `packages/intake/test/fixtures`: in `refused` one for each fault, named by the code
 * with which it is refused, the fault and the extension; in `accepted` what is unusual but valid. Each is a
 * complete document of its type except for its one fault. The same bytes come out every time.
 */

const folder = join(root, "packages", "intake", "test", "fixtures")

const write = (name: string, files: Readonly<Record<string, Buffer>>): void => {
  rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, name), { recursive: true })
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, name, file), bytes)
}

write("accepted", accepted())
write("refused", { ...archives(), ...xmlFaults(), ...kinds() })
