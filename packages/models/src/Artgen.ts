import type { ModelFamily } from "./ModelFamily.ts"

/** The unified art model: its older versioned names are closed (image-tasks 9.4). */
export const family: ModelFamily = {
  models: [],
  closed: [{ pattern: "artgen-*", successor: "artgen" }],
}
