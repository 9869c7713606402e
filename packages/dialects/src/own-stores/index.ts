export { describePart, type StorePart } from "./component.ts";
export { describeOwnStore, type StoreParts, toStoreStep } from "./describe-own-store.ts";
export { loaders } from "./documents.ts";
export { takeFilter, toFilter } from "./metadata-filter.ts";
