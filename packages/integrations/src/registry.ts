import type { IntegrationRegistry } from "./define-integration.ts";
import { openapiToolkit } from "./openapi-toolkit.ts";
import { requestDelete } from "./request-delete.ts";
import { requestGet } from "./request-get.ts";
import { requestPost } from "./request-post.ts";
import { requestPut } from "./request-put.ts";

/** Every integration by the type that flows use. A new integration is one file and one line here. */
export const integrations = {
  "request-get": requestGet,
  "request-post": requestPost,
  "request-put": requestPut,
  "request-delete": requestDelete,
  "openapi-toolkit": openapiToolkit,
} as const satisfies IntegrationRegistry;

export type IntegrationType = keyof typeof integrations;
