export { file } from "./file.ts";
export { createMatcher } from "./file-fields.ts";
export { folder } from "./folder.ts";
export { unreadable } from "./load-files.ts";
