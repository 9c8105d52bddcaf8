import type { Atelier, AtelierError, ImageSubmission, Task } from "@atelier/node"
import { expectTypeOf, it } from "vitest"

/** Never called: the compiler checks it. */
const checkedByTheCompiler = async (atelier: Atelier, anyModel: string): Promise<void> => {
  const own = { user: "ada" } as const
  await atelier.images.submit({ ...own, model: "gen-image-2", prompt: "a", quality: "high" })
  // @ts-expect-error a field that is misspelt
  await atelier.images.submit({ ...own, model: "gen-image-2", promt: "a" })
  // @ts-expect-error beside the right one too
  await atelier.images.submit({ ...own, model: "gen-image-2", prompt: "a", promt: "a" })
  // @ts-expect-error no value of this family
  await atelier.images.submit({ ...own, model: "gen-image-2", prompt: "a", quality: "fast" })
  await atelier.images.submit({ ...own, model: "dream-4.5", prompt: "a", quality: "fast" })
  // @ts-expect-error a tier that it has not
  await atelier.images.submit({ ...own, model: "imagine-image-2.0", prompt: "a", resolution: "4K" })
  await atelier.images.submit({ ...own, model: "artgen", generation_type: "describe", images: [] })
  await atelier.images.submit({ ...own, model: anyModel, prompt: "a", resolution: "4K" })
  // @ts-expect-error no model takes it
  await atelier.images.submit({ ...own, model: anyModel, promt: "a" })
  // @ts-expect-error whose it is
  await atelier.images.submit({ model: "gen-image-2", prompt: "a" })
}

it("bodies, tasks and errors have types", () => {
  expectTypeOf(checkedByTheCompiler).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf<ImageSubmission<"gen-image-2">["quality"]>().toEqualTypeOf<
    "auto" | "low" | "medium" | "high" | undefined
  >()
  expectTypeOf<Task["user"]>().toBeString()
  expectTypeOf<AtelierError["retryable"]>().toBeBoolean()
})
