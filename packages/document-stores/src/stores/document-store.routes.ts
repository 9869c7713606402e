import { defineRoute, ifFound, type Route } from "@weft/http";
import {
  documentStoreCreateSchema,
  documentStoreSchema,
  documentStoreUpdateSchema,
  pageQuerySchema,
  pageSchema,
  uuidSchema,
  vectorQueryResultSchema,
  vectorQuerySchema,
  vectorStoreSettingsSchema,
} from "@weft/schema";
import { z } from "zod";
import { type LoaderRouteDeps, loaderRoutes } from "../loaders/loader.routes.ts";
import { type QuestionRouteDeps, questionRoutes } from "../questions/index.ts";
import type { SearchService } from "../search/index.ts";
import { documentStoreTag as tag, type UpsertRouteDeps, upsertRoutes } from "../upserts/index.ts";
import type { DocumentStoreService } from "./document-store.service.ts";

/** Rows without 400: a malformed id is an unknown id. Source: contract "Statuses and errors". */
const anyId = z.object({ id: z.string().toLowerCase() });
const idParams = z.object({ id: uuidSchema });

export type DocumentStoreRouteDeps = LoaderRouteDeps &
  UpsertRouteDeps &
  QuestionRouteDeps & { stores: DocumentStoreService; search: SearchService };

/** Stores, their vectors, loaders and upserts. Source: reference, "Document stores". */
export function documentStoreRoutes(deps: DocumentStoreRouteDeps): Route[] {
  const { stores, search } = deps;
  return [
    ...readRoutes(stores),
    ...writeRoutes(stores),
    ...vectorRoutes(stores, search),
    ...loaderRoutes(deps),
    ...upsertRoutes(deps),
    ...questionRoutes(deps),
  ];
}

function readRoutes(stores: DocumentStoreService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/document-store/store",
      operationId: "listDocumentStores",
      summary: "List the document stores, most recently updated first",
      tag,
      permission: "document-stores:read",
      query: pageQuerySchema,
      returns: { schema: z.union([z.array(documentStoreSchema), pageSchema(documentStoreSchema)]) },
      errors: [400, 500],
      handle: ({ query }) => stores.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/document-store/store/{id}",
      operationId: "getDocumentStore",
      summary: "Read a document store",
      tag,
      permission: "document-stores:read",
      params: anyId,
      returns: { schema: documentStoreSchema },
      errors: [404, 500],
      handle: ({ params }) => stores.get(params.id),
    }),
  ];
}

function writeRoutes(stores: DocumentStoreService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/document-store/store",
      operationId: "createDocumentStore",
      summary: "Create a document store",
      description: "By default it embeds and searches inside this server; no API key or network access is needed.",
      tag,
      permission: "document-stores:write",
      confirms: "document-store",
      body: documentStoreCreateSchema,
      returns: { schema: documentStoreSchema },
      recall: (id) => ifFound(stores.get(id)),
      errors: [400, 409, 500],
      handle: ({ body, newId }) => {
        const id = body.id ?? newId;
        return stores.create({ ...body, ...(id !== undefined && { id }) });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "/api/v1/document-store/store/{id}",
      operationId: "updateDocumentStore",
      summary: "Change a document store",
      description:
        "Omitted fields keep their values. Changing the embedding or vector store makes earlier upserts stale.",
      tag,
      permission: "document-stores:write",
      confirms: "document-store",
      params: anyId,
      body: documentStoreUpdateSchema,
      returns: { schema: documentStoreSchema },
      errors: [400, 404, 412, 500],
      handle: ({ params, body, assertMatches }) => stores.update(params.id, body, assertMatches),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/document-store/store/{id}",
      operationId: "deleteDocumentStore",
      summary: "Delete a document store with its loaders, chunks and vectors",
      tag,
      permission: "document-stores:write",
      params: anyId,
      returns: null,
      errors: [404, 500],
      handle: ({ params }) => stores.remove(params.id),
    }),
  ];
}

function vectorRoutes(stores: DocumentStoreService, search: SearchService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/document-store/vectorstore/query",
      operationId: "queryDocumentStore",
      summary: "Search a document store",
      tag,
      permission: "document-stores:read",
      body: vectorQuerySchema,
      returns: { schema: vectorQueryResultSchema },
      errors: [400, 500],
      handle: ({ body, signal }) => search.query(body, signal),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/document-store/vectorstore/save",
      operationId: "saveVectorStoreSettings",
      summary: "Save the embedding, vector store and record manager of a store",
      tag,
      permission: "document-stores:write",
      confirms: "document-store",
      body: vectorStoreSettingsSchema,
      returns: { schema: documentStoreSchema },
      errors: [400, 404, 500],
      handle: ({ body }) => stores.saveSettings(body),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/v1/document-store/vectorstore/{id}",
      operationId: "deleteVectors",
      summary: "Delete the vectors tracked by the record manager",
      description:
        "Chunks are kept and can be upserted again. With `docId`, only the vectors of that loader are deleted.",
      tag,
      permission: "document-stores:write",
      params: idParams,
      query: z.object({ docId: uuidSchema.optional() }),
      returns: null,
      errors: [400, 404, 409, 500],
      handle: ({ params, query, signal }) => search.deleteVectors(params.id, { loaderId: query.docId, signal }),
    }),
  ];
}
