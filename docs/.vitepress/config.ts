import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitepress"
import { accessible } from "./accessible.ts"
import { extendMarkdown } from "./markdown.ts"
import { nav, sidebar } from "./navigation.ts"
import { anchorOf, notPages, placeOf } from "./paths.ts"

const mark =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%236b3f7a'/%3E%3Cpath d='M8 23 16 8l8 15M11.5 17.5h9' fill='none' stroke='%23fbf8f4' stroke-width='2.6' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

export default defineConfig({
  lang: "en",
  title: "Atelier",
  description:
    "Paid, slow jobs behind one API key: images and documents as tasks that are never lost or billed twice",
  srcDir: "..",
  srcExclude: [...notPages],
  rewrites: placeOf,
  cacheDir: "../.cache/site",
  // The folder that it is published under, such as `/atelier/`.
  base: process.env["DOCS_BASE"] ?? "/",
  cleanUrls: true,
  // Its build tool does not know the language level of the repository's own configuration.
  vite: { esbuild: { tsconfigRaw: { compilerOptions: { target: "es2022" } } }, plugins: [accessible] },
  head: [["link", { rel: "icon", href: mark }]],
  markdown: {
    config: extendMarkdown,
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
  },
  // A page without parts has no outline: its tables have the place.
  transformPageData: ({ filePath, frontmatter }, { siteConfig }) => {
    const hasParts = /^##+ /m.test(readFileSync(join(siteConfig.srcDir, filePath), "utf8"))
    return hasParts ? {} : { frontmatter: { ...frontmatter, aside: false } }
  },
  themeConfig: {
    logo: mark,
    nav: [...nav],
    sidebar: [...sidebar],
    outline: { level: [2, 3] },
    search: { provider: "local" },
    socialLinks: [],
    docFooter: { prev: "Before", next: "Next" },
    notFound: {
      title: "There is no such page",
      quote: "It may have moved. The search above knows every page.",
      linkText: "All pages",
      linkLabel: "All pages",
    },
  },
})
