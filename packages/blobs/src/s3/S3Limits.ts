/** Times are milliseconds. */
export interface S3Limits {
  /** Objects up to this are one request; larger ones are uploaded in parts of it. S3 takes 5 MiB to 5 GiB. */
  readonly part_bytes: number
  /** Parts of one object that are uploaded at once. */
  readonly parts_concurrent_max: number
  /** Bytes that all uploads of the process hold in memory at once. */
  readonly upload_buffer_bytes_max: number
  /** Repetitions of a request that can succeed when it is repeated. */
  readonly retries_max: number
  /** The wait before the first repetition; each further one is twice as long, give or take a fifth. */
  readonly retry_ms: number
  /** A connection that is silent this long is closed. */
  readonly idle_ms_max: number
  /** How long aborting a failed upload is attempted; after that the bucket's lifecycle rule removes it. */
  readonly abort_ms_max: number
}

export const defaultS3Limits: S3Limits = {
  part_bytes: 8 * 1024 * 1024,
  parts_concurrent_max: 4,
  upload_buffer_bytes_max: 64 * 1024 * 1024,
  retries_max: 5,
  retry_ms: 200,
  idle_ms_max: 15_000,
  abort_ms_max: 5_000,
}

/** The most parts that S3 accepts. */
export const partsMax = 10_000
/** Characters of a key in S3, the prefix included. */
export const objectKeyCharsMax = 1024
