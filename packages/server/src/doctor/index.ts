export { purgeOrphans } from "./purge-orphans.ts";
export { runChecks } from "./run-checks.ts";
export { schemaCheck } from "./schema-check.ts";
export { toCompactNotice } from "./space-check.ts";
