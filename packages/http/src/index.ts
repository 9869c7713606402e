export { isNotModified, toEtag } from "./answer/entity-tag.ts";
export { toFileResponse } from "./answer/file-response.ts";
export { readJsonBody, unsupportedMediaType } from "./body/read-body.ts";
export type { FileReceiver, IncomingFile } from "./body/read-multipart-body.ts";
export { toNetwork } from "./connection-guard.ts";
export { forbiddenOrigin } from "./cors.ts";
export { createHttpApp, type HttpApp } from "./create-http-app.ts";
export { healthRoutes } from "./health.routes.ts";
export { createHostCheck, unknownHost } from "./host-check.ts";
export {
  type Bucket,
  createMemoryLimits,
  failureWaits,
  type Limits,
  type MemoryLimits,
  type RateLimit,
  type RateStanding,
  roundingMs,
  toStanding,
} from "./limits.ts";
export { ListenError, type Listening, listen } from "./listen.ts";
export { createOpenApiDocument, openApiRoute } from "./openapi/openapi.ts";
export { defineResource } from "./resource/define-resource.ts";
export { type AuditedRequest, type Auditor, auditRuleOf } from "./route/audit.ts";
export type { ConfirmSave, SaveRequest } from "./route/confirm.ts";
export {
  type ChatClientAccess,
  defineRoute,
  type FailureFormat,
  type RawRequest,
  type Route,
  type RouteRequest,
  type SavedKind,
  type Visited,
} from "./route/define-route.ts";
export type { Gate, Sender } from "./route/gate.ts";
export { createIdempotencyStore } from "./route/idempotency.store.ts";
export type { IdempotencyStore, KeptEntry } from "./route/idempotency.ts";
export { ifFound, rawId } from "./route/if-found.ts";
export type { Authenticate, ProofOptions } from "./route/parse-request.ts";
export { readQuery } from "./route/parse-request.ts";
export { readAuthorization, readSignInToken } from "./route/session-cookie.ts";
export type { Recheck } from "./route/standing.ts";
