export { webhooks } from "./feature.ts";
export { isSigned, toSignatureHeader } from "./standard-webhooks.ts";
