export * as FileBlobs from "./FileBlobs.ts"
