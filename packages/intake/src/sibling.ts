/**
 * URL of the module `name` in the folder of the module `self` (its `import.meta.url`), in the same form:
 * source beside source, compiled beside compiled. For modules that a parsing process loads by URL.
 */
export const siblingModule = (name: string, self: string): string =>
  new URL(`./${name}${isSource(self) ? ".ts" : ".js"}`, self).href

/** True for a module that runs from its TypeScript source. */
const isSource = (self: string): boolean => new URL(self).pathname.endsWith(".ts")
