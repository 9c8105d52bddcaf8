export * as FileBlobs from "./FileBlobs.ts"
export * as MemoryBlobs from "./MemoryBlobs.ts"
export * as S3Blobs from "./S3Blobs.ts"
