export { file } from "./file.ts";
export { folder } from "./folder.ts";
export { createMatcher } from "./name-pattern.ts";
export { unreadable } from "./stored-file.ts";
