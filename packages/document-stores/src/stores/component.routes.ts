import { formSchemaOf } from "@weft/engine";
import { defineRoute, type Route } from "@weft/http";
import { splitters } from "@weft/knowledge";
import { loaders as loaderTypes } from "@weft/providers/loaders";
import {
  type DocumentComponent,
  documentComponentSchema,
  retrievalSettingsSchema,
  withUnavailable,
} from "@weft/schema";
import { z } from "zod";
import type { DocumentStores } from "../create-document-stores.ts";
import { documentStoreTag as tag } from "../upserts/index.ts";

/** The components of a document store, each with its form. */
export function componentRoutes({ vectors, embeddingProviders, operatorSettings }: DocumentStores): Route[] {
  const catalogues: Record<string, Catalogue> = {
    loaders: { operationId: "listLoaderTypes", what: "loaders", list: () => Object.values(loaderTypes) },
    splitters: { operationId: "listSplitters", what: "splitters", list: () => Object.values(splitters) },
    embeddings: {
      operationId: "listEmbeddingProviders",
      what: "embedding models",
      list: embeddingProviders,
    },
    vectorstore: { operationId: "listVectorStores", what: "vector databases", list: () => vectors.definitions },
    recordmanager: {
      operationId: "listRecordManagers",
      what: "record managers",
      list: () => [recordManager, noRecordManager],
    },
    retrieval: { operationId: "listRetrievalSettings", what: "settings of searches", list: () => [retrieval] },
  };
  return Object.entries(catalogues).map(([path, { operationId, what, list }]) =>
    defineRoute({
      method: "GET",
      path: `/api/v1/document-store/components/${path}`,
      operationId,
      summary: `List the available ${what} with their settings`,
      tag,
      permission: "document-stores:read",
      returns: { schema: z.array(documentComponentSchema) },
      errors: [500],
      handle: () => list().map((component) => toComponent(component, operatorSettings)),
    }),
  );
}

const recordManager = {
  name: "built-in",
  title: "Built-in record manager",
  summary: "Remembers what was written, so re-indexing never adds duplicates.",
  config: z.object({
    cleanup: z.enum(["incremental", "full", "none"]).default("incremental").meta({
      title: "Cleanup",
      help: "incremental: delete what its source no longer has; full: delete what the loader no longer has; none: delete nothing.",
    }),
  }),
};

const noRecordManager = {
  name: "none",
  title: "No record manager",
  summary: "Writes everything on every upsert and cannot clean up or delete a loader's vectors later.",
  config: z.object({}),
};

const retrieval = {
  name: "retrieval",
  title: "Search",
  summary: "How a store is searched where an agent says nothing else.",
  config: retrievalSettingsSchema,
};

type Catalogue = { operationId: string; what: string; list(): readonly Component[] };

type Component = { name: string; title: string; summary: string; config: z.ZodType };

function toComponent(component: Component, settings: ReadonlySet<string>): DocumentComponent {
  const { name, title, summary } = component;
  return { name, title, summary, schema: withUnavailable(formSchemaOf(component), settings) };
}
