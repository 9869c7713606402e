export type { ComponentAliases } from "./define-splitter.ts";
export { defaultSplitterName, findSplitter, splitters } from "./registry.ts";
