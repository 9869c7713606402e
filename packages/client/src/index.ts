export type * from "./api.gen.ts";
export type { ClientOptions } from "./call-operation.ts";
export { type Client, createClient } from "./create-client.ts";
export type { RequestOptions, StreamFrame } from "./operation.ts";
export type { PredictionFrame, PredictionMetadata } from "./prediction-frame.ts";
export type { FollowOptions, StreamOptions } from "./stream-prediction.ts";
export { WeftApiError } from "./weft-api-error.ts";
