import { defineResource, defineRoute, type Route } from "@weft/http";
import {
  documentStoreCreateSchema,
  documentStoreSchema,
  documentStoreUpdateSchema,
  uuidSchema,
  vectorQueryResultSchema,
  vectorQuerySchema,
  vectorStoreSettingsSchema,
} from "@weft/schema";
import { z } from "zod";
import type { DocumentStores } from "../create-document-stores.ts";
import { loaderRoutes } from "../loaders/loader.routes.ts";
import { questionRoutes } from "../questions/index.ts";
import type { SearchService } from "../search/index.ts";
import { documentStoreTag as tag, upsertRoutes } from "../upserts/index.ts";
import type { DocumentStoreService } from "./document-store.service.ts";

/** Rows without 400: a malformed id is an unknown id. Source: contract "Statuses and errors". */
const anyId = z.object({ id: z.string().toLowerCase() });
const idParams = z.object({ id: uuidSchema });

/** Stores, their vectors, loaders and upserts. Source: reference, "Document stores". */
export function documentStoreRoutes(services: DocumentStores): Route[] {
  const { stores, search, loaders, upserts, jobs } = services;
  return [
    ...storeRoutes(stores),
    ...vectorRoutes(stores, search),
    ...loaderRoutes(loaders, upserts, jobs),
    ...upsertRoutes(services),
    ...questionRoutes(services.questions, services.checks),
  ];
}

function storeRoutes(service: DocumentStoreService): Route[] {
  const stores = defineResource({
    path: "/api/v1/document-store/store",
    name: "document store",
    tag,
    permission: "document-stores",
    schema: documentStoreSchema,
    service,
  });
  return [
    stores.list({ errors: [400, 500], handle: ({ query }) => service.list(query) }),
    stores.get({ params: anyId, errors: [404, 500] }),
    stores.create({
      description: "By default it embeds and searches inside this server; no API key or network access is needed.",
      confirms: "document-store",
      body: documentStoreCreateSchema,
      bodyErrorStatus: 400,
      errors: [400, 409, 500],
      handle: ({ body, newId }) => {
        const id = body.id ?? newId;
        return service.create({ ...body, ...(id !== undefined && { id }) });
      },
    }),
    stores.update({
      description:
        "Omitted fields keep their values. Changing the embedding or vector store makes earlier upserts stale.",
      confirms: "document-store",
      params: anyId,
      body: documentStoreUpdateSchema,
      errors: [400, 404, 412, 500],
      handle: ({ params, body, assertMatches }) => service.update(params.id, body, assertMatches),
    }),
    stores.delete({
      summary: "Delete a document store with its loaders, chunks and vectors",
      params: anyId,
      errors: [404, 500],
    }),
  ];
}

function vectorRoutes(stores: DocumentStoreService, search: SearchService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/document-store/vectorstore/query",
      operationId: "queryDocumentStore",
      audit: false,
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
