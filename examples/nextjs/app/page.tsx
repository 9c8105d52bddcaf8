"use client"

import { useState } from "react"

interface View {
  readonly state: string
  readonly progress: number
  readonly image?: string
  readonly problem?: string
}

export default function Page() {
  const [view, setView] = useState<View>()

  const make = async (form: FormData): Promise<void> => {
    // One key for each press of the button: a request that is sent again is paid once.
    const body = JSON.stringify({ prompt: form.get("prompt"), order: crypto.randomUUID() })
    const { id } = Object(await (await fetch("/api/images", { method: "POST", body })).json())
    for await (const next of changesOf(id)) setView(next)
  }

  return (
    <main>
      <form action={make}>
        <input name="prompt" defaultValue="A lighthouse at dusk" aria-label="What to draw" required />
        <button type="submit">Draw</button>
      </form>
      {view !== undefined && (
        <p role="status">
          {view.state} <progress max={100} value={view.progress} /> {view.problem}
        </p>
      )}
      {view?.image !== undefined && <img src={view.image} alt="What was drawn" />}
    </main>
  )
}

async function* changesOf(id: string): AsyncGenerator<View> {
  const { body } = await fetch(`/api/images/${id}`)
  let rest = ""
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) yield JSON.parse(line)
  }
}
