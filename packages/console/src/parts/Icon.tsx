/** Paths of 24 by 24, stroked. */
const icons = {
  overview: "M4 20V10M10 20V4M16 20v-8M22 20H2",
  tasks: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  users:
    "M16 20v-2a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v2M9.5 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M21 20v-2a4 4 0 0 0-3-3.8M16 3.2a4 4 0 0 1 0 7.6",
  ledger: "M4 4h13a3 3 0 0 1 3 3v13H7a3 3 0 0 1-3-3zM8 9h8M8 13h8M8 17h4",
  catalog: "M3 7l9-4 9 4-9 4zM3 12l9 4 9-4M3 17l9 4 9-4",
  channels: "M4 12h4l3-8 4 16 3-8h4",
  plugins: "M9 3v6M15 3v6M6 9h12v3a6 6 0 0 1-12 0zM12 18v3",
  playground: "M6 4l14 8-14 8z",
  audit: "M12 8v5l3 2M21 12a9 9 0 1 1-3-6.7M21 3v4h-4",
  settings: "M4 7h10M18 7h2M4 17h4M12 17h8M14 4v6M8 14v6",
  access: "M15 7a4 4 0 1 1-3.5 5.9L8 16.5V19H5.5v2H3v-3l6.1-6.1A4 4 0 0 1 15 7z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12l5 5 9-10",
  sun: "M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10M12 1v2M12 21v2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M1 12h2M21 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4",
  moon: "M21 12.8A9 9 0 1 1 11.2 3a7 7 0 0 0 9.8 9.8z",
  out: "M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4M16 17l5-5-5-5M21 12H9",
} as const
export type IconName = keyof typeof icons

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={icons[name]} />
  </svg>
)

/** A shape for each kind of state: a tick, a cross, an empty and a half circle, a question. */
const shapes: Readonly<Record<string, string>> = {
  done: "M2 6.5 5 9.5 10 3",
  bad: "M2.5 2.5l7 7M9.5 2.5l-7 7",
  waits: "M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M6 3.5V6l1.8 1",
  runs: "M3.5 2l6 4-6 4z",
  open: "M4 4.2a2 2 0 1 1 2.6 2.1c-.4.2-.6.5-.6 1M6 9.6v.1",
  back: "M5 2.5 2 5.5l3 3M2 5.5h5a2.5 2.5 0 0 1 0 5H6",
  more: "M6 2v8M2 6h8",
}
const shapeOf: Readonly<Record<string, string>> = {
  completed: "done",
  succeeded: "done",
  delivered: "done",
  closed: "done",
  settle: "done",
  done: "done",
  failed: "bad",
  open: "bad",
  refused: "bad",
  disabled: "bad",
  queued: "waits",
  pending: "waits",
  half_open: "waits",
  hold: "waits",
  paused: "waits",
  in_progress: "runs",
  running: "runs",
  release: "back",
  grant: "more",
}

export const StateShape = ({ state }: { readonly state: string }) => (
  <svg
    viewBox="0 0 12 12"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[shapeOf[state] ?? "open"]} />
  </svg>
)
