import type { Plugin } from "vite"

interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What VitePress's own theme does to those who hear a page, or use it by its keys; the names are those of axe's rules. */
const changes: ReadonlyArray<Change> = [
  // nested-interactive: the arrow of a group is a button inside the button that the group's title is.
  {
    file: "VPSidebarItem.vue",
    from: 'role="button"\n        aria-label="toggle section"\n        @click="onCaretClick"\n        @keydown.enter="onCaretClick"\n        tabindex="0"',
    to: '@click="onCaretClick"',
  },
  // A group that cannot be closed is no button; one that can be says whether it is open.
  {
    file: "VPSidebarItem.vue",
    from: "isLink.value ? undefined : 'button'",
    to: "isLink.value || !collapsible.value ? undefined : 'button'",
  },
  {
    file: "VPSidebarItem.vue",
    from: ':tabindex="item.items && 0"',
    to: ':tabindex="itemRole && 0" :aria-expanded="itemRole && !collapsed"',
  },
  // label-content-name-mismatch: what the button shows beside its name are the keys that press it.
  {
    file: "VPNavBarSearchButton.vue",
    from: ":aria-label=\"translate('button.buttonAriaLabel')\"",
    to: ":title=\"translate('button.buttonAriaLabel')\" aria-keyshortcuts='Control+K Meta+K'",
  },
  {
    file: "VPNavBarSearchButton.vue",
    from: '<span class="DocSearch-Button-Keys">',
    to: '<span class="DocSearch-Button-Keys" aria-hidden="true">',
  },
  // nested-interactive: all of the search is one button, and each result a link inside an option. It is a dialog with
  // a list of links.
  {
    file: "VPLocalSearchBox.vue",
    from: 'role="button"\n      :aria-owns="results?.length ? \'localsearch-list\' : undefined"\n      aria-expanded="true"\n      aria-haspopup="listbox"\n      aria-labelledby="localsearch-label"',
    to: 'role="dialog" aria-modal="true" :aria-label="buttonText"',
  },
  {
    file: "VPLocalSearchBox.vue",
    from: ":aria-selected=\"selectedIndex === index ? 'true' : 'false'\"\n            role=\"option\"",
    to: "",
  },
  {
    file: "VPLocalSearchBox.vue",
    from: ":role=\"results?.length ? 'listbox' : undefined\"\n          :aria-labelledby=\"results?.length ? 'localsearch-label' : undefined\"",
    to: "",
  },
  // The label that names it is empty but for a title, which not every reader takes for a name.
  {
    file: "VPLocalSearchBox.vue",
    from: 'aria-labelledby="localsearch-label"',
    to: ':aria-label="buttonText"',
  },
  // label-content-name-mismatch: a result is named by what it shows, but for the mark before it.
  { file: "VPLocalSearchBox.vue", from: ":aria-label=\"[...p.titles, p.title].join(' > ')\"", to: "" },
  {
    file: "VPLocalSearchBox.vue",
    from: '<span class="title-icon">',
    to: '<span class="title-icon" aria-hidden="true">',
  },
  // aria-prohibited-attr: pictures of keys.
  ...["navigateUp", "navigateDown", "select", "close"].map((key) => ({
    file: "VPLocalSearchBox.vue",
    from: `<kbd :aria-label="translate('modal.footer.${key}KeyAriaLabel')"`,
    to: `<kbd role="img" :aria-label="translate('modal.footer.${key}KeyAriaLabel')"`,
  })),
]

/** Changes those places as they are read. A release of VitePress without one of them ends the build, and is looked at. */
export const accessible: Plugin = {
  name: "atelier-accessible",
  enforce: "pre",
  transform(source, id) {
    const [path = ""] = id.split("?")
    const here = changes.filter(({ file }) => path.endsWith(`/theme-default/components/${file}`))
    if (id.includes("?") || here.length === 0) return
    return here.reduce((text, { file, from, to }) => {
      if (!text.includes(from)) throw new Error(`${file} of VitePress has changed: ${from} is not in it`)
      return text.replace(from, to)
    }, source)
  },
}
