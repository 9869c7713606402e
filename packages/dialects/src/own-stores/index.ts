export { describePart, type StorePart } from "./component.ts";
export { describeOwnStore, type StoreParts } from "./describe-own-store.ts";
export { loaders } from "./documents.ts";
export { takeFilter, toFilter } from "./metadata-filter.ts";
export { toStoreStep } from "./to-store-step.ts";
