export * from "./Blobs.ts"
