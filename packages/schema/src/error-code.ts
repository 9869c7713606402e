import { availabilityErrors, connectionErrors } from "./availability-errors.ts";
import { egressErrors } from "./egress-errors.ts";
import { budgetErrors, crashErrors, toolErrors } from "./run-errors.ts";
import { signInErrors } from "./sign-in-errors.ts";

/**
 * HTTP status, title and message template of an error. `{name}` in a message is replaced by the parameter of that name.
 */
export type ErrorDefinition = {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** The same request may succeed later unchanged. */
  readonly retryable?: boolean;
};

/**
 * The closed catalogue of errors. A code is a promise to clients: it is never renamed.
 * Messages are written for the person who must act. Source: design "Statuses and errors".
 */
export const errorCatalogue = {
  ...connectionErrors,
  "body-unparsable": {
    status: 400,
    title: "Unparsable body",
    message: "The request body is not valid JSON: {reason}. Send a JSON object with Content-Type: application/json.",
  },
  "form-unparsable": {
    status: 400,
    title: "Unparsable form",
    message: "The form could not be parsed: {reason}. Send valid multipart/form-data (RFC 7578).",
  },
  "body-missing": {
    status: 400,
    title: "Missing body",
    message: "This operation requires a JSON object as its body. Send one with Content-Type: application/json.",
  },
  "limit-exceeded": {
    status: 422,
    title: "Limit exceeded",
    message: "The request is too large: {where} has more than {limit} {what}. Send less.",
  },
  "body-too-deep": {
    status: 422,
    title: "Body too deeply nested",
    message: "The request body is nested more than {limit} levels deep. Flatten it.",
  },
  "body-invalid": { status: 400, title: "Invalid body", message: "The request body is invalid: {reason}." },
  "query-invalid": { status: 400, title: "Invalid query", message: "The query parameters are invalid: {reason}." },
  "id-invalid": { status: 400, title: "Invalid id", message: "{name} must be a uuid, not {value}." },
  "parameters-invalid": { status: 400, title: "Invalid parameters", message: "{reason}" },
  "validation-failed": { status: 422, title: "Validation failed", message: "The request body is invalid: {reason}." },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    message: "Send a valid token or API key as Authorization: Bearer <token>. {reason}",
  },
  "login-failed": { status: 401, title: "Login failed", message: "The e-mail address or password is incorrect." },
  "setup-token-wrong": {
    status: 401,
    title: "Wrong setup token",
    message: "The setup token is incorrect. The server prints the token at startup while no account exists.",
  },
  "link-invalid": {
    status: 404,
    title: "Link expired",
    message: "This link has expired or was already used. Ask for a new one.",
  },
  ...signInErrors,
  "webhook-unauthenticated": { status: 401, title: "Webhook signature invalid", message: "{reason}" },
  "api-key-wrong": {
    status: 401,
    title: "Invalid API key",
    message:
      "This agent is protected by its own API key. Send it as Authorization: Bearer <key>, or as X-API-Key alongside a token.",
  },
  "api-key-unknown": {
    status: 401,
    title: "Unknown API key",
    message: "API key not recognised. It may have been deleted; create a new one under API keys.",
  },
  forbidden: {
    status: 403,
    title: "Not permitted",
    message:
      "This operation requires the permission {permission}, which your account or key does not have. An owner or admin can grant it.",
  },
  "approval-needs-account": {
    status: 403,
    title: "Approval requires an account",
    message: "Only someone with an account can approve this call. Log in and approve it in the list of executions.",
  },
  "references-not-permitted": {
    status: 403,
    title: "Names what the key may not use",
    message:
      "You can save only what you may use yourself: {reason}. Ask an admin, or use an API key with these permissions and agents.",
  },
  "destination-not-yours": {
    status: 403,
    title: "Destination must be confirmed by a person",
    message:
      "An API key can allow destinations of credentials that it created. The credential {name} is not one of them: ask its owner to allow the destination in the builder, or use an account's token.",
  },
  "draft-for-editors": {
    status: 403,
    title: "Drafts are for editors",
    message:
      "Only an account, or an API key with the permission agents:write, can use an agent's draft. Leave draft out to use the published agent.",
  },
  "forbidden-origin": {
    status: 403,
    title: "Origin not allowed",
    message:
      "Requests from {origin} are not allowed. Add the origin to the agent's allowed origins, or ask the operator to add it to CORS_ORIGINS.",
  },
  "not-found": { status: 404, title: "Not found", message: "No {resource} with the id {id} exists." },
  "id-of-other-kind": {
    status: 422,
    title: "Wrong kind of resource",
    message: "{id} is the id of a different kind of resource ({kind}, expected {wanted}). Check the id.",
  },
  "agent-of-key-not-found": {
    status: 404,
    title: "Not found",
    message: "No agent is bound to this API key. Bind one by setting its apikeyid, or check the key.",
  },
  "messages-not-found": {
    status: 404,
    title: "Not found",
    message: "No messages match. Check the agent's id and the filters.",
  },
  "leads-not-found": {
    status: 404,
    title: "Not found",
    message: "This agent has no leads. Check the agent's id.",
  },
  "upsert-history-not-found": {
    status: 404,
    title: "Not found",
    message: "None of these records exist. Check the ids, and the agent's id if the path has one.",
  },
  "path-unknown": {
    status: 404,
    title: "Unknown path",
    message: "There is no operation at {path}. See /openapi.json for the available ones.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    message: "{method} is not allowed at {path}. Allowed: {allowed}.",
  },
  conflict: { status: 409, title: "Conflict", message: "{reason}" },
  "idempotency-key-invalid": {
    status: 400,
    title: "Invalid idempotency key",
    message: "Idempotency-Key must be 1 to 255 printable characters, for example a uuid.",
  },
  "idempotency-key-reused": {
    status: 409,
    title: "Idempotency key already used",
    message: "This Idempotency-Key was used for a different request within the last 24 hours. Use a new one.",
  },
  "idempotency-key-running": {
    status: 409,
    title: "Request still running",
    message:
      "The first request with this Idempotency-Key is still running. Wait for it to finish, then send this one again.",
  },
  "precondition-failed": {
    status: 412,
    title: "Modified since it was read",
    message: "The resource has changed since you read it. Read it again, then reapply your change.",
  },
  "draft-changed": {
    status: 412,
    title: "Saved elsewhere",
    message: "{savedBy} saved this draft after you read it. Read it again, then reapply your change.",
  },
  "body-too-large": {
    status: 413,
    title: "Request too large",
    message: "The request body is larger than {limit} bytes. Send less, or ask the operator to raise BODY_LIMIT.",
  },
  "visitor-files-exceeded": {
    status: 413,
    title: "Too many files",
    message:
      "{holder} can hold at most {files} files and {bytes} bytes from visitors. Send fewer or smaller files, or ask the operator to raise VISITOR_FILES_CHAT, VISITOR_FILES_AGENT or VISITOR_FILES_TOTAL.",
  },
  "media-type-unsupported": {
    status: 415,
    title: "Unsupported media type",
    message: "This operation accepts {expected}, not {actual}.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    message: "Too many requests. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  ...budgetErrors,
  ...availabilityErrors,
  internal: {
    status: 500,
    title: "Internal error",
    message:
      "An unexpected error occurred in the server. Report the request id to the operator, who can find the error in the log.",
  },

  "flow-invalid": { status: 500, title: "Flow cannot run", message: "This flow cannot run: {reason}" },
  "flow-limit": { status: 500, title: "Flow limit reached", message: "The run reached its limit: {reason}." },
  "flow-timeout": {
    status: 500,
    title: "Flow timed out",
    message: "The run took longer than {limitMs} ms and was stopped.",
  },
  ...crashErrors,
  "flow-drafts-off": {
    status: 409,
    title: "No model to draft flows",
    message: "Flows cannot be drafted: {reason}. Choose a default model under Models, or build the flow by hand.",
  },
  "flow-draft-unfinished": {
    status: 500,
    title: "Draft not finished",
    message: "The model did not finish the draft: {reason}. Ask for less at once, or choose another model.",
  },
  "flow-cancelled": { status: 500, title: "Run cancelled", message: "The run was cancelled." },
  "flow-node-failed": { status: 500, title: "Step failed", message: "{reason}" },
  "flow-call-refused": { status: 500, title: "Call not allowed", message: "{reason}" },
  "flow-child-waits": {
    status: 500,
    title: "Called agent needs human input",
    message:
      "{label} asks for human input, which is not possible in an agent called by another agent. Ask in the calling flow instead.",
  },

  "model-not-configured": {
    status: 500,
    title: "Model not available",
    message: "The model {model} cannot be used: {reason}",
  },
  "model-unauthorized": {
    status: 500,
    title: "Model server rejected the API key",
    message: "The model server rejected the API key (status {status}). Correct the credential of {model}.",
  },
  "model-rate-limited": {
    status: 500,
    title: "Model server rate limit reached",
    message: "The model server reports too many requests (status {status}). Try again later.",
    retryable: true,
  },
  "model-invalid-request": {
    status: 500,
    title: "Model server rejected the request",
    message: "The model server rejected the request (status {status}): {reason}",
  },
  "model-unavailable": {
    status: 500,
    title: "Model unavailable",
    message: "The model server failed (status {status}): {reason}",
    retryable: true,
  },
  "model-unreachable": {
    status: 500,
    title: "Model unreachable",
    message:
      "The model server could not be reached: {reason}. Check that it is running and that its base URL is correct.",
    retryable: true,
  },
  "model-timeout": {
    status: 500,
    title: "Model timed out",
    message: "The model server sent {awaited} within {limitMs} ms, the limit set by {setting}.",
    retryable: true,
  },
  "model-interrupted": {
    status: 500,
    title: "Model response cut off",
    message: "The model server's response ended before it was complete. Try again.",
    retryable: true,
  },
  "model-invalid-answer": {
    status: 500,
    title: "Invalid response from the model server",
    message: "The model server sent an invalid response: {reason}.",
    retryable: true,
  },

  ...toolErrors,

  "retrieval-failed": {
    status: 500,
    title: "Document store search failed",
    message: "The document store {storeId} cannot be searched: {reason}",
  },

  "embedding-not-configured": {
    status: 400,
    title: "Embedding model not available",
    message: "The embedding model {model} cannot be used: {reason}",
  },
  "embedding-unauthorized": {
    status: 500,
    title: "Embedding server rejected the API key",
    message: "The embedding server rejected the API key (status {status}). Correct the credential of {model}.",
  },
  "embedding-rate-limited": {
    status: 500,
    title: "Embedding server rate limit reached",
    message: "The embedding server reports too many requests (status {status}). Try again later.",
    retryable: true,
  },
  "embedding-invalid-request": {
    status: 500,
    title: "Embedding server rejected the request",
    message: "The embedding server rejected the request (status {status}): {reason}",
  },
  "embedding-unavailable": {
    status: 500,
    title: "Embedding server unavailable",
    message: "The embedding server failed (status {status}): {reason}",
    retryable: true,
  },
  "embedding-unreachable": {
    status: 500,
    title: "Embedding server unreachable",
    message:
      "The embedding server could not be reached: {reason}. Check that it is running and that its base URL is correct.",
    retryable: true,
  },
  "embedding-invalid-answer": {
    status: 500,
    title: "Invalid response from the embedding server",
    message: "The embedding server sent an invalid response: {reason}.",
    retryable: true,
  },
  "embedding-failed": {
    status: 500,
    title: "Embedding failed",
    message: "The embedding model on this server failed: {reason}. Try again.",
    retryable: true,
  },
  "embedding-mismatch": {
    status: 400,
    title: "Embedding model mismatch",
    message:
      "The collection {collection} holds vectors from {stored}, but these are from {given}; the two cannot be compared. Switch back to the first embedding model, or upsert everything into an empty collection.",
  },

  "vector-store-not-configured": {
    status: 400,
    title: "Vector store not available",
    message: "The vector store {store} cannot be used: {reason}",
  },
  "vector-store-failed": {
    status: 500,
    title: "Vector store failed",
    message: "The vector store {store} failed: {reason}",
  },

  "document-unsupported": {
    status: 422,
    title: "Format not supported",
    message: "{name} has an unsupported format. Supported formats: {formats}.",
  },
  "document-unreadable": { status: 422, title: "Document cannot be read", message: "{name} cannot be read: {reason}." },
  "documents-unreadable": {
    status: 400,
    title: "No document could be loaded",
    message: "None of the documents could be loaded. {reason}",
  },
  "documents-at-capacity": {
    status: 503,
    title: "At capacity",
    message: "The server is busy processing other documents. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },

  ...egressErrors,
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCatalogue, value);
}
