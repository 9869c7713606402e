export { isHttpAddress, normaliseBaseUrl } from "./base-url.ts";
export { credentialHeaders } from "./credential-headers.ts";
export { describeNetworkError, isNetworkError, toReason } from "./network-error.ts";
