export { parseComponent, parseMetadata, parseRecordManager } from "./bodies.ts";
export { loaderIdentity, normaliseUrl } from "./loader-identity.ts";
export { parseConfig, parseObject } from "./parse-config.ts";
export { type ComponentAliases, defaultSplitterName, findSplitter, splitters } from "./splitters/index.ts";
