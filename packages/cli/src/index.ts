export { configJsonSchema } from "./ConfigFile.ts"
