import { availabilityErrors } from "./availability-errors.ts";
import { connectionErrors } from "./connection-errors.ts";

/** HTTP status, title and the message template of one error. `{name}` in a message is replaced by the parameter of that name. */
export type ErrorDefinition = {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Whether the same request may succeed later without a change. */
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
    message: "The form cannot be read: {reason}. Send multipart/form-data as RFC 7578 describes it.",
  },
  "body-missing": {
    status: 400,
    title: "Missing body",
    message: "This operation needs a JSON object as its body. Send one with Content-Type: application/json.",
  },
  "limit-exceeded": {
    status: 422,
    title: "Limit exceeded",
    message: "The request is too large: {where} has more than {limit} {what}. Send less.",
  },
  "body-too-deep": {
    status: 422,
    title: "Body nested too deeply",
    message: "The request body is nested more than {limit} levels deep. Flatten it.",
  },
  "body-invalid": { status: 400, title: "Invalid body", message: "The request body does not fit: {reason}." },
  "query-invalid": { status: 400, title: "Invalid query", message: "The query parameters do not fit: {reason}." },
  "id-invalid": { status: 400, title: "Invalid id", message: "{name} must be a uuid, not {value}." },
  "parameters-invalid": { status: 400, title: "Invalid parameters", message: "{reason}" },
  "validation-failed": { status: 422, title: "Validation failed", message: "The request body does not fit: {reason}." },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    message: "Send a valid token or API key as Authorization: Bearer <token>. {reason}",
  },
  "login-failed": { status: 401, title: "Log-in failed", message: "The e-mail address or the password is wrong." },
  "setup-token-wrong": {
    status: 401,
    title: "Wrong set-up token",
    message: "This is not the set-up token. The server prints it when it starts and no account exists.",
  },
  "webhook-unauthenticated": { status: 401, title: "Sender not proved", message: "{reason}" },
  "api-key-wrong": {
    status: 401,
    title: "Invalid API key",
    message:
      "This agent needs its own API key. Send it as Authorization: Bearer <key>, or as X-API-Key beside a token.",
  },
  "api-key-unknown": {
    status: 401,
    title: "Unknown API key",
    message: "This is no API key of this server, or it was deleted.",
  },
  forbidden: {
    status: 403,
    title: "Not permitted",
    message: "This operation needs the permission {permission}, which your key does not have.",
  },
  "approval-needs-account": {
    status: 403,
    title: "Approval needs an account",
    message: "Only a person with an account can approve this call. It is waiting in the list of executions.",
  },
  "forbidden-origin": {
    status: 403,
    title: "Origin not allowed",
    message:
      "Pages of {origin} may not use this. Add the origin to the agent's allowed origins, or let the operator add it to CORS_ORIGINS.",
  },
  "not-found": { status: 404, title: "Not found", message: "No {resource} with the id {id} exists." },
  "id-of-other-kind": {
    status: 422,
    title: "Id of another resource",
    message: "{id} is the id of another resource ({kind}), not of this one ({wanted}).",
  },
  "agent-of-key-not-found": {
    status: 404,
    title: "Not found",
    message: "No agent is bound to this API key. Bind one by its apikeyid, or check the key.",
  },
  "messages-not-found": {
    status: 404,
    title: "Not found",
    message: "This agent has no messages that match. Check its id and the filters.",
  },
  "leads-not-found": {
    status: 404,
    title: "Not found",
    message: "Nobody has left an address with this agent. Check its id.",
  },
  "upsert-history-not-found": {
    status: 404,
    title: "Not found",
    message: "None of these records exists. Check the ids, and the agent's id in the path where there is one.",
  },
  "path-unknown": {
    status: 404,
    title: "Unknown path",
    message: "No operation exists at {path}. See /openapi.json for what does.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    message: "{method} is not possible at {path}. Allowed: {allowed}.",
  },
  conflict: { status: 409, title: "Conflict", message: "{reason}" },
  "idempotency-key-invalid": {
    status: 400,
    title: "Invalid idempotency key",
    message: "Idempotency-Key must be 1 to 255 printable characters, for example a uuid.",
  },
  "idempotency-key-reused": {
    status: 409,
    title: "Idempotency key used already",
    message: "This Idempotency-Key was used for another request within the last 24 hours. Use a new one.",
  },
  "idempotency-key-running": {
    status: 409,
    title: "Request still running",
    message: "The request with this Idempotency-Key is still running. Wait for its answer, then repeat it.",
  },
  "precondition-failed": {
    status: 412,
    title: "Changed meanwhile",
    message: "The resource was changed since you read it. Read it again, then repeat your change.",
  },
  "body-too-large": {
    status: 413,
    title: "Request too large",
    message: "The request body is larger than {limit} bytes. Send less, or let the operator raise BODY_LIMIT.",
  },
  "visitor-files-exceeded": {
    status: 413,
    title: "Too many files",
    message:
      "{holder} holds at most {files} files and {bytes} bytes from visitors. Send fewer or smaller ones, or ask the operator to raise VISITOR_FILES_CHAT, VISITOR_FILES_AGENT or VISITOR_FILES_TOTAL.",
  },
  "media-type-unsupported": {
    status: 415,
    title: "Unsupported media type",
    message: "This operation takes {expected}, not {actual}.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    message: "Too many requests. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  ...availabilityErrors,
  internal: {
    status: 500,
    title: "Internal error",
    message: "Something failed inside the server. Give the operator this request id: it is in the log.",
  },

  "flow-invalid": { status: 500, title: "Flow cannot run", message: "This flow cannot run: {reason}" },
  "flow-limit": { status: 500, title: "Flow limit reached", message: "The run reached its limit: {reason}." },
  "flow-timeout": {
    status: 500,
    title: "Flow timed out",
    message: "The run took longer than {limitMs} ms and was stopped.",
  },
  "flow-crashed": {
    status: 500,
    title: "Run given up",
    message:
      "The server ended {count} times in succession during this run without getting a step further, so the run was given up.",
  },
  "flow-cancelled": { status: 500, title: "Run cancelled", message: "The run was cancelled." },
  "flow-node-failed": { status: 500, title: "Step failed", message: "{reason}" },
  "flow-call-refused": { status: 500, title: "Call not allowed", message: "{reason}" },
  "flow-child-waits": {
    status: 500,
    title: "Called agent waits for a person",
    message:
      "{label} asks a person, which it cannot while another agent waits for the answer. Ask in the calling flow instead.",
  },
  "flow-outcome-unknown": {
    status: 500,
    title: "Outcome unknown",
    message:
      "The server stopped while {name} was running, so it is unknown whether it took effect. Check the called service before you repeat it.",
  },

  "model-not-configured": {
    status: 500,
    title: "No such model",
    message: "The model {model} cannot be used: {reason}",
  },
  "model-unauthorized": {
    status: 500,
    title: "Model refused the key",
    message: "The model server refused the API key (status {status}). Correct the credential of {model}.",
  },
  "model-rate-limited": {
    status: 500,
    title: "Model is rate limited",
    message: "The model server answers that too many requests were made (status {status}). Try again later.",
    retryable: true,
  },
  "model-invalid-request": {
    status: 500,
    title: "Model refused the request",
    message: "The model server refused the request (status {status}): {reason}",
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
    message: "The model server could not be reached: {reason}. Check its base URL and that it runs.",
    retryable: true,
  },
  "model-timeout": {
    status: 500,
    title: "Model timed out",
    message: "The model server sent {awaited} within {limitMs} ms, the limit that {setting} sets.",
    retryable: true,
  },
  "model-interrupted": {
    status: 500,
    title: "Model stopped answering",
    message: "The model server's answer ended before it was complete. Try again.",
    retryable: true,
  },
  "model-invalid-answer": {
    status: 500,
    title: "Model answered garbage",
    message: "The model server's answer could not be understood: {reason}.",
    retryable: true,
  },

  "tool-invalid": { status: 500, title: "Tool cannot be used", message: "The tool {name} cannot be used: {reason}" },
  "tool-failed": { status: 500, title: "Tool failed", message: "The tool {name} failed: {reason}" },

  "retrieval-failed": {
    status: 500,
    title: "Document store cannot be searched",
    message: "The document store {storeId} cannot be searched: {reason}",
  },

  "embedding-not-configured": {
    status: 400,
    title: "No such embedding model",
    message: "The embedding model {model} cannot be used: {reason}",
  },
  "embedding-unauthorized": {
    status: 500,
    title: "Embedding server refused the key",
    message: "The embedding server refused the API key (status {status}). Correct the credential of {model}.",
  },
  "embedding-rate-limited": {
    status: 500,
    title: "Embedding server is rate limited",
    message: "The embedding server answers that too many requests were made (status {status}). Try again later.",
    retryable: true,
  },
  "embedding-invalid-request": {
    status: 500,
    title: "Embedding server refused the request",
    message: "The embedding server refused the request (status {status}): {reason}",
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
    message: "The embedding server could not be reached: {reason}. Check its base URL and that it runs.",
    retryable: true,
  },
  "embedding-invalid-answer": {
    status: 500,
    title: "Embedding server answered garbage",
    message: "The embedding server's answer could not be understood: {reason}.",
    retryable: true,
  },
  "embedding-failed": {
    status: 500,
    title: "Embedding failed",
    message: "The embedded embedding model failed: {reason}. Try again.",
    retryable: true,
  },
  "embedding-mismatch": {
    status: 400,
    title: "Vectors of another embedding model",
    message:
      "The collection {collection} holds vectors of {stored}, and these are of {given}, which cannot be compared. Use that embedding model again, or upsert everything into an empty collection.",
  },

  "vector-store-not-configured": {
    status: 400,
    title: "No such vector store",
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
    message: "{name} is in a format that cannot be read. These can: {formats}.",
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
    message: "The server is busy with other documents. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },

  "credential-unreadable": {
    status: 500,
    title: "Credential cannot be read",
    message: "The stored values of the credential {id} cannot be decrypted: {reason}. Enter them again.",
  },

  "egress-refused": {
    status: 500,
    title: "Address refused",
    message: "{url} must not be called: {reason}. The operator can permit it with EGRESS_ALLOW.",
  },
  "credential-host": {
    status: 500,
    title: "Credential refused for this host",
    message:
      "Nothing was sent to {url}: the credential {name} may be sent to {hosts}. Add {host} to the hosts of the credential if it belongs there, or correct the address.",
  },
  "egress-failed": {
    status: 500,
    title: "Call failed",
    message: "{url} could not be called: {reason}.",
    retryable: true,
  },
  "egress-timeout": {
    status: 500,
    title: "Call timed out",
    message: "{url} did not answer within {limitMs} ms.",
    retryable: true,
  },
  "egress-too-large": {
    status: 500,
    title: "Answer too large",
    message: "{url} answered with more than {limit} bytes.",
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCatalogue, value);
}
