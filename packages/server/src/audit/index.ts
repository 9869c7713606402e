export { findBrokenAudit } from "./audit.store.ts";
export { createAudit } from "./auditor.ts";
