import { defineRoute, type Route } from "@weft/http";
import { createEventStream } from "@weft/http/event-stream";
import {
  asJson,
  documentRefreshSchema,
  documentUpsertSchema,
  type UpsertJob,
  upsertJobSchema,
  upsertResultSchema,
  uuidSchema,
  vectorStoreSettingsSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import { type DocumentFiles, receivedFilesSchema, uploadLimits, uploadsSchema } from "../files/document-files.ts";
import { toOneResult, type UpsertService } from "./upsert.service.ts";
import type { UpsertJobs } from "./upsert-jobs.service.ts";

/** Tag of the operations of document stores. */
export const documentStoreTag = "Document stores";
const tag = documentStoreTag;

const base = "/api/v1/document-store";
const idParams = z.object({ id: uuidSchema });
const asyncHint = "With `Prefer: respond-async` it answers 202 at once, with the upsert to follow.";

/** A form: fields as in the JSON body, objects as JSON text, and the files to load. */
const formSchema = z.looseObject({ files: receivedFilesSchema });

const bodySchema = documentUpsertSchema
  .extend({ files: uploadsSchema })
  .meta({ id: "DocumentUpsertRequest", examples: documentUpsertSchema.meta()?.examples ?? [] });

type Services = { upserts: UpsertService; jobs: UpsertJobs; files: DocumentFiles };

/** Operations that write to the vector database, and their progress. */
export function upsertRoutes(deps: Services): Route[] {
  return [...upsertRoutesOf(deps), ...refreshRoutes(deps), insertRoute(deps), ...jobRoutes(deps)];
}

const upsertDescription =
  "Send files as a multipart form. Without files, a loader or a docId, every loader of the store is upserted. Sources that cannot be loaded are listed in `failed`; the rest is written. Repeating an upsert adds nothing; if the same one is already running, the request waits for it. The upsert continues if the client disconnects.";

function upsertRoutesOf({ upserts, jobs, files: { receive } }: Services): Route[] {
  const shared = {
    method: "POST",
    tag,
    permission: "document-stores:write",
    params: idParams,
    body: bodySchema,
    multipart: { form: formSchema, ...uploadLimits, receive },
  } as const;
  type Request = { params: { id: string }; body: z.output<typeof bodySchema>; newId: string | undefined };
  const begin = ({ params, body: { files, ...body }, newId }: Request) =>
    upserts.begin({ storeId: params.id, body, files: files ?? [], id: newId }).catch(asInvalid);
  return [
    defineRoute({
      ...shared,
      path: `${base}/upsert/{id}`,
      operationId: "upsertDocuments",
      summary: "Load documents, split and embed them, and write them to the vector database",
      description: upsertDescription,
      returns: { schema: upsertResultSchema },
      errors: [400, 409, 500],
      async recall(id) {
        const results = await upserts.recall(id);
        return results && toOneResult(results);
      },
      recallsRunning: true,
      handle: async (request) => toOneResult(await upserts.result(await begin(request))),
    }),
    defineRoute({
      ...shared,
      path: `${base}/store/{id}/upserts`,
      operationId: "beginUpsert",
      summary: "Start an upsert without waiting for it",
      description: `${upsertDescription} Returns the upsert that was started or was already running.`,
      returns: { schema: upsertJobSchema, status: 202 },
      errors: [400, 500],
      handle: async (request) => accepted(await jobs.status(await begin(request))),
    }),
  ];
}

function refreshRoutes({ upserts, jobs }: Services): Route[] {
  const shared = {
    method: "POST",
    tag,
    permission: "document-stores:write",
    params: idParams,
    body: documentRefreshSchema.optional(),
    description:
      "If items is omitted, every loader is refreshed. Sources that fail to load keep their chunks and vectors.",
  } as const;
  type Request = { params: { id: string }; body: z.output<typeof documentRefreshSchema> | undefined };
  const begin = ({ params, body }: Request) =>
    upserts.beginRefresh({ storeId: params.id, items: body?.items ?? [] }).catch(asInvalid);
  return [
    defineRoute({
      ...shared,
      path: `${base}/refresh/{id}`,
      operationId: "refreshDocuments",
      summary: "Reload the documents of a store and write what has changed",
      returns: { schema: z.array(upsertResultSchema) },
      errors: [400, 500],
      handle: async (request) => upserts.result(await begin(request)),
    }),
    defineRoute({
      ...shared,
      path: `${base}/store/{id}/refreshes`,
      operationId: "beginRefresh",
      summary: "Start a refresh without waiting for it",
      returns: { schema: upsertJobSchema, status: 202 },
      errors: [400, 500],
      handle: async (request) => accepted(await jobs.status(await begin(request))),
    }),
  ];
}

function insertRoute({ upserts, jobs }: Services): Route {
  return defineRoute({
    method: "POST",
    path: `${base}/vectorstore/insert`,
    operationId: "insertVectors",
    summary: "Embed the existing chunks of a store and write them to the vector database",
    description: asyncHint,
    tag,
    permission: "document-stores:write",
    body: vectorStoreSettingsSchema,
    returns: { schema: z.array(upsertResultSchema), accepted: upsertJobSchema },
    errors: [400, 404, 500],
    async handle({ body, headers }) {
      const id = await upserts.beginInsert(body);
      return wantsNoWait(headers) ? accepted(await jobs.status(id)) : upserts.result(id);
    },
  });
}

function jobRoutes({ jobs }: Services): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${base}/store/{id}/upserts`,
      operationId: "listUpserts",
      summary: "List the recent upserts of a store, newest first",
      tag,
      permission: "document-stores:read",
      params: idParams,
      returns: { schema: z.array(upsertJobSchema) },
      errors: [400, 500],
      handle: ({ params }) => jobs.list(params.id),
    }),
    defineRoute({
      method: "GET",
      path: `${base}/upserts/{id}`,
      operationId: "getUpsert",
      summary: "Get the progress or result of an upsert",
      tag,
      permission: "document-stores:read",
      params: idParams,
      returns: { schema: upsertJobSchema },
      errors: [400, 404, 500],
      handle: ({ params }) => jobs.status(params.id),
    }),
    defineRoute({
      method: "GET",
      path: `${base}/upserts/{id}/events`,
      operationId: "streamUpsert",
      summary: "Stream the progress of an upsert as server-sent events until it ends",
      description:
        "Each `progress` event carries the full state, so a client that loses the stream can simply reconnect.",
      tag,
      permission: "document-stores:read",
      params: idParams,
      returns: { schema: z.string(), contentType: "text/event-stream" },
      errors: [400, 404, 500],
      async handle({ params: { id }, signal }) {
        await jobs.status(id);
        return streamOf(id, jobs.watch(id, signal));
      },
    }),
    defineRoute({
      method: "POST",
      path: `${base}/upserts/{id}/cancel`,
      operationId: "cancelUpsert",
      summary: "Cancel an upsert",
      description: "Whatever was written stays in the vector database; the previous chunks remain current.",
      tag,
      permission: "document-stores:write",
      params: idParams,
      returns: { schema: upsertJobSchema },
      errors: [400, 404, 500],
      handle: ({ params }) => jobs.cancel(params.id),
    }),
  ];
}

function streamOf(id: string, progress: AsyncGenerator<UpsertJob>): Response {
  const stream = createEventStream();
  const leave = () => void progress.return(undefined);
  stream.onceOver(leave);
  const send = async () => {
    let count = 0;
    for await (const job of progress) {
      count += 1;
      stream.send([{ id: `${id}:${count}`, event: "progress", data: asJson(job) }]);
    }
    stream.send([{ id: `${id}:${count + 1}`, event: "end", data: "[DONE]" }]);
  };
  send().catch(stream.cut);
  return stream.response;
}

/** The reference documents 400 here and no 404. */
function asInvalid(cause: unknown): never {
  if (cause instanceof WeftError && cause.code === "not-found") {
    throw new WeftError("not-found", { message: cause.message, status: 400 });
  }
  throw cause;
}

/** RFC 7240: a client that does not want to wait asks for the status instead. */
export function wantsNoWait(headers: Headers): boolean {
  return /(^|,)\s*respond-async\s*(,|;|$)/i.test(headers.get("prefer") ?? "");
}

export function accepted(job: z.infer<typeof upsertJobSchema>): Response {
  return Response.json(job, { status: 202, headers: { location: `${base}/upserts/${job.id}` } });
}
