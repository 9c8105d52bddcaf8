import type { DocumentSettings, LimitValues, ModelOverride, ToolOverride } from "@atelier/core"
import type { ChannelSetting, Plugin } from "@atelier/plugin"

/** One line of the log. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error"
  readonly message: string
  /** Such as `task_id` and `request_id`. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** What went wrong, in words and with its stack, where something did. */
  readonly cause?: string
}

/** How `createAtelier` composes the service. Names and shapes of settings are those of the configuration file. */
export interface AtelierOptions {
  /** `sqlite:PATH`, `sqlite::memory:`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly database: string
  /**
   * `file:PATH`, `memory:`, or `s3://BUCKET/PREFIX?region=…` with its credentials in `AWS_ACCESS_KEY_ID` and
   * `AWS_SECRET_ACCESS_KEY`. By default beside a SQLite file, and in memory with one in memory.
   */
  readonly blobs?: string
  /** Where the images are made; without any, every model is drawn here, without a vendor. */
  readonly channels?: ReadonlyArray<ChannelSetting>
  /** Packages, paths from `directory`, or plugins themselves. */
  readonly plugins?: ReadonlyArray<string | Plugin>
  /** Changes of the document tools by their id: `published`, `unit_price`, `max_file_bytes`. */
  readonly tools?: { readonly [id: string]: ToolOverride }
  /** What holds for all document tools: `refuse_without_text_layer`, `page_offsets`, `scan_languages`. */
  readonly documents?: DocumentSettings
  /** Changes of the image models by id or glob, and new ones with a `family`. */
  readonly models?: { readonly [idOrGlob: string]: ModelOverride }
  readonly limits?: Partial<LimitValues>
  /** Whether this process runs accepted tasks; true by default. Another one on the same database may do it. */
  readonly workers?: boolean
  /** Account units that make one US dollar; 500,000 by default. */
  readonly unitsPerUsd?: number
  /** What the addresses of archived images start with; by default they are paths: `/media/NAME`. */
  readonly mediaUrl?: string
  readonly network?: {
    /** Private ranges that outgoing requests may reach. */
    readonly allow_private?: ReadonlyArray<string>
  }
  /** Isolation of the processes that read documents (docs/operate/sandbox.md); `auto` by default. */
  readonly sandbox?: "auto" | "require" | "off"
  /**
   * Of a bundled application: the folder with the modules that other processes and threads load, each an entry point
   * of the bundle (docs/embed/bundlers.md). Without it they are where their packages are installed.
   */
  readonly workerModules?: string
  /** Connections for statements on Postgres, 8 by default; four more listen and look for jobs. */
  readonly connections?: number
  /** The folder that relative paths of `plugins` are from; by default the working directory. */
  readonly directory?: string
  /** Hears of the log; by default warnings and errors go to the standard error output, as lines of JSON. */
  readonly log?: (entry: LogEntry) => void
}
