export { purgeOrphans } from "./purge-orphans.ts";
export { runChecks, schemaCheck } from "./run-checks.ts";
export { toCompactNotice } from "./space-check.ts";
