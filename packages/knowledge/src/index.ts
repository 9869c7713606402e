export { parseComponent } from "./bodies/parse-component.ts";
export { parseMetadata, parseRecordManager } from "./bodies/parse-record-manager.ts";
export type { ComponentAliases } from "./define-splitter.ts";
export { findMainContent } from "./html/main-content.ts";
export { elementsWithin, type PageElement } from "./html/page-node.ts";
export { createPageParser, type Page } from "./html/parse-page.ts";
export { selectElements } from "./html/select-elements.ts";
export { toMarkdown } from "./html/to-markdown.ts";
export { loaderIdentity, normaliseUrl } from "./loader-identity.ts";
export { parseConfig, parseObject } from "./parse-config.ts";
export { meanReciprocalRank, recallAtK } from "./ranking/fuse-ranks.ts";
export {
  type ChunkRecord,
  type Cleanup,
  planUpsert,
  type SourceChunk,
  type UpsertStep,
} from "./records/plan-upsert.ts";
export { defaultSplitterName, findSplitter, splitters } from "./registry.ts";
