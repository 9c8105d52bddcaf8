export * as Artgen from "./Artgen.ts"
export { type AdapterSettings, bearerOf, type MakeChannel } from "./adapters/Adapter.ts"
export {
  type Adapter,
  type AdapterModule,
  defineAdapter,
  type HttpAdapterName,
  httpAdapters,
} from "./adapters/Adapters.ts"
export {
  type Answer,
  type Call,
  call,
  contentRefused,
  errorIn,
  misconfigured,
  type Refusals,
  refusalOf,
  retryAfterOf,
} from "./adapters/Answers.ts"
export { generationOf, generationOfLinks } from "./adapters/ImagesAnswer.ts"
export { done, type Look, lookAt, missing, pending, pollUntil, silent } from "./adapters/Polling.ts"
export { dataUrlOf, referenceImage } from "./adapters/Reference.ts"
export { drawingModule } from "./art/Renderer.ts"
export * as Catalog from "./Catalog.ts"
export * as Channel from "./Channel.ts"
export * as DataUrl from "./DataUrl.ts"
export * as Dream from "./Dream.ts"
export * as FaultyChannel from "./FaultyChannel.ts"
export * as FaultyDownloads from "./FaultyDownloads.ts"
export { fetchImage, readImage } from "./FetchImage.ts"
export * as Fields from "./Fields.ts"
export * as GenImage from "./GenImage.ts"
export * from "./http/AddressPolicy.ts"
export { excerptOf } from "./http/Excerpt.ts"
export {
  type ImageHeader,
  type ImageReading,
  type ImageType,
  imageTypeOf,
  readImageHeader,
} from "./http/ImageHeader.ts"
export * as ReferenceImageCheck from "./http/ReferenceImageCheck.ts"
export type { Resolve } from "./http/Resolver.ts"
export {
  contentBody,
  jsonBody,
  multipartBody,
  type Part,
  type Streamed,
  type UpstreamBody,
} from "./http/UpstreamBody.ts"
export * from "./http/UpstreamHttp.ts"
export * from "./http/UpstreamHttpError.ts"
export type { UpstreamHeaders, UpstreamRequest, UpstreamResponse } from "./http/UpstreamRequest.ts"
export { showUrl, type UrlPolicy } from "./http/UrlPolicy.ts"
export * as ImagineImage from "./ImagineImage.ts"
export * as LocalChannel from "./LocalChannel.ts"
export * from "./ModelFamily.ts"
export * as Outgoing from "./Outgoing.ts"
export * as PixelSize from "./PixelSize.ts"
export * as TestImage from "./TestImage.ts"
