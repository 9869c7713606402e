export { runChecks, schemaCheck } from "./checks.ts";
export { purgeOrphans } from "./purge-orphans.ts";
export { toCompactNotice } from "./space-check.ts";
