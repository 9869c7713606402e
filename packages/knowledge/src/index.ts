export { parseComponent } from "./bodies/parse-component.ts";
export { parseMetadata, parseRecordManager } from "./bodies/parse-record-manager.ts";
export { loaderIdentity, normaliseUrl } from "./loader-identity.ts";
export { parseConfig, parseObject } from "./parse-config.ts";
export { type ComponentAliases, defaultSplitterName, findSplitter, splitters } from "./splitters/index.ts";
