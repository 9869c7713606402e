export { parseBoolean } from "./bodies/parse-boolean.ts";
export { type ComponentField, type ComponentReference, parseComponent } from "./bodies/parse-component.ts";
export { parseMetadata, parseRecordManager, type RecordManagerSettings } from "./bodies/parse-record-manager.ts";
export type { Chunk, Hash, SplitText } from "./chunk.ts";
export type { ComponentAliases } from "./define-splitter.ts";
export { defineSplitter, type Splitter, type SplitterDefinition } from "./define-splitter.ts";
export { findMainContent, type MainContent } from "./html/main-content.ts";
export { elementsWithin, type PageElement, type PageNode, textWithin } from "./html/page-node.ts";
export { createPageParser, type Page, type PageParser } from "./html/parse-page.ts";
export { selectElements } from "./html/select-elements.ts";
export type { MarkdownOptions } from "./html/to-markdown.ts";
export { toMarkdown } from "./html/to-markdown.ts";
export { loaderIdentity, normaliseUrl } from "./loader-identity.ts";
export { type ConfigRule, parseConfig, parseJson, parseObject } from "./parse-config.ts";
export {
  type FusedRank,
  type FuseOptions,
  fuseRanks,
  meanReciprocalRank,
  type RankedCase,
  recallAtK,
} from "./ranking/fuse-ranks.ts";
export {
  type ChunkHashes,
  type ChunkRecord,
  type Cleanup,
  hashChunk,
  planUpsert,
  type SourceChunk,
  type UpsertRequest,
  type UpsertStep,
} from "./records/plan-upsert.ts";
export { defaultSplitterName, findSplitter, type SplitterName, splitters } from "./registry.ts";
