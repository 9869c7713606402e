export { webhooks } from "./feature.ts";
