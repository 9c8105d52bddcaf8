import { makeWorkerUtils } from "graphile-worker"
import { Pool } from "pg"
import { PgBoss } from "pg-boss"

/** Where the jobs of both peers are added to. */
export const peerQueue = "bench"

/** Adds one job, durable when it is answered. */
export type Add = (payload: object) => Promise<void>

export interface Peer {
  readonly add: Add
  readonly close: () => Promise<void>
}

/** graphile-worker without anything around it: one `add_job` in a transaction of its own. */
export const bareGraphile = async (url: string, connections: number): Promise<Peer> => {
  const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: 1 })
  await utils.migrate()
  await utils.release()
  const pool = new Pool({ connectionString: url, max: connections })
  return {
    add: async (payload) => {
      const client = await pool.connect()
      try {
        await client.query("BEGIN")
        await client.query({
          name: "add",
          text: "SELECT id FROM graphile_worker.add_job($1, $2::json)",
          values: [peerQueue, JSON.stringify(payload)],
        })
        await client.query("COMMIT")
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

/** pg-boss, with its notifications on: without them a job waits for a worker's next look, every half second at best. */
export const pgBoss = async (url: string, connections: number): Promise<Peer & { readonly boss: PgBoss }> => {
  const boss = new PgBoss({ connectionString: url, max: connections, schedule: false, useListenNotify: true })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  await boss.createQueue(peerQueue, { notify: true })
  return {
    boss,
    add: async (payload) => {
      await boss.send(peerQueue, payload)
    },
    close: () => boss.stop({ graceful: false }),
  }
}
