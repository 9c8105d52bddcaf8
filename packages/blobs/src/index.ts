export * as FileBlobs from "./FileBlobs.ts"
export * as S3Blobs from "./S3Blobs.ts"
