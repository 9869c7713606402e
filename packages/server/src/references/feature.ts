import { defineFeature } from "../feature.ts";
import { createStoredReferences, type StoredReferences } from "./stored-references.ts";
import { usesRoutes } from "./uses.ts";

declare module "../feature.ts" {
  interface Services {
    references: StoredReferences;
  }
}

export const references = defineFeature({
  name: "references",
  service: ({ nodeTypes }) => createStoredReferences(nodeTypes),
  routes: (references, _, { database: { read } }) => usesRoutes(references, read),
});
