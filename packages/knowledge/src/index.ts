export {
  loaderIdentity,
  normaliseUrl,
  parseComponent,
  parseConfig,
  parseMetadata,
  parseObject,
  parseRecordManager,
} from "./parse-config.ts";
export { type ComponentAliases, defaultSplitterName, findSplitter, splitters } from "./splitters/index.ts";
