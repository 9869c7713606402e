export { createVectorStores, parseVectorStoreReference, type VectorStores } from "./vector-stores.ts";
