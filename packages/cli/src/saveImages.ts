import type { ImageTask } from "@atelier/client"
import type { Caller } from "./Caller.ts"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import { reasonOf } from "./failureOf.ts"
import { outputsOf, writing } from "./Outputs.ts"

/**
 * Prints where the images of a completed task are, and saves them to `out`, the further ones numbered. Addresses are
 * printed first: what was paid for is not lost with a file that cannot be written.
 */
export const deliver = async (
  { signal }: Caller,
  task: ImageTask,
  { out, json }: { readonly out: string | undefined; readonly json: boolean },
): Promise<void> => {
  const urls = (task.assets ?? []).map(({ url }) => url)
  const text = task.data?.text
  if (!json) for (const line of text === undefined ? urls : [...urls, text]) console.log(line)
  const [files, failures]: [Array<string>, Array<CommandFailed>] = [[], []]
  for (const [index, file] of (out === undefined ? [] : outputsOf(out, urls.length)).entries()) {
    try {
      await writing(file, await download(urls[index] ?? "", signal))
      files.push(file)
      if (!json) console.log(file)
    } catch (error) {
      if (!(error instanceof CommandFailed) || signal.aborted) throw error
      failures.push(error)
    }
  }
  if (json) console.log(JSON.stringify(files.length === 0 ? task : { ...task, files }, null, 2))
  const failed = failures[0]
  if (failed === undefined) return
  const message = `${task.id} is done and paid; its addresses are above. ${failed.message}`
  throw new CommandFailed({ message, exitCode: failed.exitCode ?? exitCodes.failed })
}

const triesMax = 4
const pauseMs = 200

/** Result links may lead to other hosts, which are not told the key. */
const download = async (url: string, signal: AbortSignal): Promise<Uint8Array> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(url, { signal })
      const body = new Uint8Array(await response.arrayBuffer())
      if (response.ok) return body
      const exitCode = response.status < 500 ? exitCodes.refused : exitCodes.unreachable
      throw new CommandFailed({ message: `${url} was answered with ${response.status}`, exitCode })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof CommandFailed) throw error
      if (tries >= triesMax) {
        const host = URL.parse(url)?.origin ?? url
        const message = `${host} does not answer: ${reasonOf(error)}`
        throw new CommandFailed({ message, exitCode: exitCodes.unreachable })
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** tries))
    }
  }
}
