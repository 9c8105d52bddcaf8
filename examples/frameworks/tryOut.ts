interface Task {
  readonly id: string
  readonly state: string
  readonly assets: ReadonlyArray<{ readonly url: string; readonly width: number; readonly height: number }>
}

/** What a browser would do with the application, whatever framework it is made with. */
export const tryOut = async (
  send: (path: string, init?: RequestInit) => Response | Promise<Response>,
): Promise<void> => {
  const headers = { "content-type": "application/json", "x-user": "customer-42" }
  const order = (body: object) => send("/images", { method: "POST", headers, body: JSON.stringify(body) })

  const body = async (response: Response | Promise<Response>) => (await (await response).json()) as Task

  const accepted = await order({ prompt: "A bridge in the rain", order: "order-1" })
  const { id } = await body(accepted)
  console.log("accepted", accepted.status)
  const again = await body(order({ prompt: "A bridge in the rain", order: "order-1" }))
  console.log("again, under its key", again.id === id)

  let task = await body(send(`/images/${id}`, { headers }))
  while (task.state === "queued" || task.state === "in_progress") {
    await new Promise((resolve) => setTimeout(resolve, 50))
    task = await body(send(`/images/${id}`, { headers }))
  }
  const [asset] = task.assets
  console.log(task.state, asset?.width, "x", asset?.height)

  const picture = await send(asset?.url ?? "")
  console.log(picture.headers.get("content-type"), (await picture.arrayBuffer()).byteLength > 0)

  const stranger = await send(`/images/${id}`, { headers: { "x-user": "another-user" } })
  console.log("another user", stranger.status)

  const refused = await order({ prompt: "A bridge", order: "order-1" })
  console.log("refused", refused.status, await refused.text())
}
