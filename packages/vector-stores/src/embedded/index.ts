export { createEmbeddedStore, type EmbeddedStoreOptions, embeddedTraits } from "./embedded-store.ts";
