export { createVectorStores, parseVectorStoreReference, type VectorStores, vectorStoreTypes } from "./vector-stores.ts";
