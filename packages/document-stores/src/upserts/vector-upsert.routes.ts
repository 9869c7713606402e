import { defineRoute, type Route } from "@weft/http";
import { jsonObjectSchema, uploadedFileSchema, upsertResultSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { uploadLimits, uploadsSchema } from "../files/uploads.ts";
import type { VectorUpsertService } from "./vector-upsert.service.ts";

const bodySchema = z
  .object({
    stopNodeId: z
      .string()
      .max(200)
      .nullish()
      .meta({ description: "Id of the vector store node, if the flow has several" }),
    overrideConfig: jsonObjectSchema
      .nullish()
      .meta({ description: "loader, splitter, metadata, replaceExisting, deleteEmbeddings, docId, or text" }),
    files: uploadsSchema,
  })
  .meta({ id: "VectorUpsert", examples: [{ overrideConfig: { text: "Refunds take five days." } }] });

/** A form: everything but the node and the files overrides the node's settings. */
const formSchema = z
  .looseObject({ files: z.array(uploadedFileSchema), stopNodeId: z.string().optional() })
  .transform(({ files, stopNodeId, overrideConfig, ...fields }) => ({
    files,
    stopNodeId,
    overrideConfig: typeof overrideConfig === "string" ? parseObject(overrideConfig) : fields,
  }));

export type VectorUpsertRouteDeps = { vectorUpserts: VectorUpsertService };

/** The operation of the reference, "Vector upsert". */
export function vectorUpsertRoutes({ vectorUpserts }: VectorUpsertRouteDeps): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/vector/upsert/{id}",
      operationId: "upsertVectors",
      summary: "Write documents into the document store of an agent's vector store node",
      description: "Send files as a multipart form. Without files or a loader, every loader of the store is reloaded.",
      tag: "Vector upsert",
      permission: "document-stores:write",
      agent: { param: "id" },
      params: z.object({ id: uuidSchema }),
      body: bodySchema,
      bodyErrorStatus: 422,
      multipart: { form: formSchema, ...uploadLimits },
      returns: { schema: upsertResultSchema },
      errors: [400, 404, 422, 500],
      async handle({ params, body }) {
        const { stopNodeId, overrideConfig, files } = body;
        const id = await vectorUpserts.begin({
          agentId: params.id,
          stopNodeId: stopNodeId || undefined,
          overrideConfig: overrideConfig ?? {},
          files: files ?? [],
        });
        return vectorUpserts.result(id);
      },
    }),
  ];
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
