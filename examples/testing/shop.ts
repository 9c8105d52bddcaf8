import { type Atelier, isFinal } from "@atelier/node"

/** The application: orders of pictures, in its own table. */
export const openShop = async (atelier: Atelier) => {
  await atelier.transaction((tx) => tx.query("CREATE TABLE orders (title TEXT, task_id TEXT, state TEXT)"))
  atelier.onFinished(async (task, tx) => {
    const state = task.object === "image.task" && isFinal(task) ? task.state : "failed"
    await tx.query("UPDATE orders SET state = ? WHERE task_id = ?", [state, task.id])
  })
  return {
    order: (user: string, title: string) =>
      atelier.transaction(async (tx) => {
        const image = { user, model: "gen-image-2", prompt: title, size: "1:1", resolution: "1K" } as const
        const task = await tx.images.submit(image)
        await tx.query("INSERT INTO orders VALUES (?, ?, 'open')", [title, task.id])
        return task
      }),
    orders: () => atelier.transaction((tx) => tx.query("SELECT title, state FROM orders")),
  }
}
