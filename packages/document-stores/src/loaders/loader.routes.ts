import { defineRoute, type Route, toFileResponse } from "@weft/http";
import {
  chunkPageSchema,
  chunkUpdateSchema,
  loaderBodySchema,
  loaderPreviewBodySchema,
  loaderPreviewSchema,
  storedLoaderSchema,
  upsertJobSchema,
  uuidSchema,
} from "@weft/schema";
import { z } from "zod";
import {
  accepted,
  documentStoreTag as tag,
  type UpsertJobs,
  type UpsertService,
  wantsNoWait,
} from "../upserts/index.ts";
import type { LoaderService } from "./loader.service.ts";

const base = "/api/v1/document-store";
const loaderParams = z.object({ storeId: uuidSchema, loaderId: uuidSchema });
const anyChunk = z.object({
  storeId: z.string().toLowerCase(),
  loaderId: z.string().toLowerCase(),
  chunkId: z.string().toLowerCase(),
});

export function loaderRoutes(loaders: LoaderService, upserts: UpsertService, jobs: UpsertJobs): Route[] {
  return [...loaderReadRoutes(loaders), ...loaderWriteRoutes(loaders, upserts, jobs), ...chunkRoutes(loaders)];
}

function loaderReadRoutes(loaders: LoaderService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: `${base}/loader/preview`,
      operationId: "previewLoader",
      audit: false,
      summary: "Preview a loader and a splitter without storing anything",
      tag,
      permission: "document-stores:write",
      body: loaderPreviewBodySchema,
      returns: { schema: loaderPreviewSchema },
      errors: [400, 404, 500],
      handle: ({ body, signal }) => loaders.preview(body, signal),
    }),
    defineRoute({
      method: "GET",
      path: `${base}/loader/{storeId}/{loaderId}`,
      operationId: "getLoader",
      summary: "Read a loader with its full configuration",
      tag,
      permission: "document-stores:read",
      params: loaderParams,
      returns: { schema: storedLoaderSchema },
      errors: [400, 404, 500],
      handle: ({ params }) => loaders.get(params.storeId, params.loaderId),
    }),
    defineRoute({
      method: "GET",
      path: `${base}/file/{loaderId}`,
      operationId: "getDocumentFile",
      summary: "Download a file that was uploaded into a document store",
      description:
        "A passage names its loader in `metadata.docId` and its file in `metadata.source`. Files that a loader fetched from elsewhere are not kept.",
      tag,
      permission: "document-stores:read",
      params: z.object({ loaderId: uuidSchema }),
      query: z.object({
        fileName: z.string().min(1).max(200).meta({ description: "File name, as in the passage's `source`" }),
      }),
      returns: { schema: z.string().meta({ format: "binary" }), contentType: "*/*" },
      errors: [400, 404, 500],
      handle: async ({ params, query }) =>
        toFileResponse(await loaders.file(params.loaderId, query.fileName), { isDownload: true }),
    }),
  ];
}

function loaderWriteRoutes(loaders: LoaderService, upserts: UpsertService, jobs: UpsertJobs): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: `${base}/loader/save`,
      operationId: "saveLoader",
      summary: "Add or change a loader without loading anything",
      tag,
      permission: "document-stores:write",
      confirms: "document-store",
      body: loaderBodySchema,
      returns: { schema: storedLoaderSchema },
      errors: [400, 404, 409, 500],
      handle: ({ body }) => loaders.save(body),
    }),
    defineRoute({
      method: "POST",
      path: `${base}/loader/process/{loaderId}`,
      operationId: "processLoader",
      summary: "Load and split the sources of a loader without embedding them",
      description: "Returns the first chunks when done. With `Prefer: respond-async` it returns 202 immediately.",
      tag,
      permission: "document-stores:write",
      params: z.object({ loaderId: uuidSchema }),
      body: z.object({ storeId: uuidSchema }).meta({
        id: "LoaderProcess",
        examples: [{ storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" }],
      }),
      returns: { schema: chunkPageSchema, accepted: upsertJobSchema },
      errors: [400, 404, 500],
      async handle({ params, body, headers }) {
        const id = await upserts.beginProcessing(body.storeId, params.loaderId);
        if (wantsNoWait(headers)) return accepted(await jobs.status(id));
        await upserts.result(id);
        return loaders.chunkPage(body.storeId, params.loaderId, { page: 1 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${base}/loader/{storeId}/{loaderId}`,
      operationId: "deleteLoader",
      summary: "Delete a loader with its chunks",
      description: "Vectors stay in the vector database; delete them first with `deleteVectors`.",
      tag,
      permission: "document-stores:write",
      params: loaderParams,
      returns: null,
      errors: [400, 404, 409, 500],
      handle: ({ params }) => loaders.remove(params.storeId, params.loaderId),
    }),
  ];
}

function chunkRoutes(loaders: LoaderService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${base}/chunks/{storeId}/{loaderId}/{page}`,
      operationId: "listChunks",
      summary: "List a loader's chunks, 50 per page",
      tag,
      permission: "document-stores:read",
      params: loaderParams.extend({ page: z.coerce.number().int().min(1).max(1_000_000) }),
      returns: { schema: chunkPageSchema },
      errors: [400, 404, 500],
      query: z.object({
        search: z.string().trim().max(200).optional().meta({ description: "Only chunks that contain this text" }),
      }),
      handle: ({ params, query }) =>
        loaders.chunkPage(params.storeId, params.loaderId, { ...query, page: params.page }),
    }),
    defineRoute({
      method: "PUT",
      path: `${base}/chunks/{storeId}/{loaderId}/{chunkId}`,
      operationId: "updateChunk",
      summary: "Change a chunk",
      description: "Its vector is deleted: searches find the chunk again after the next upsert.",
      tag,
      permission: "document-stores:write",
      params: anyChunk,
      body: chunkUpdateSchema,
      returns: { schema: chunkPageSchema },
      errors: [400, 404, 409, 500],
      handle: ({ params, body }) => loaders.updateChunk(params, body),
    }),
    defineRoute({
      method: "DELETE",
      path: `${base}/chunks/{storeId}/{loaderId}/{chunkId}`,
      operationId: "deleteChunk",
      summary: "Delete a chunk",
      description: "Its vector is deleted first.",
      tag,
      permission: "document-stores:write",
      params: z.object({ storeId: uuidSchema, loaderId: uuidSchema, chunkId: uuidSchema }),
      returns: null,
      errors: [400, 404, 409, 500],
      handle: ({ params }) => loaders.removeChunk(params),
    }),
  ];
}
