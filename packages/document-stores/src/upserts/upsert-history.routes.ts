import { defineRoute, type Route } from "@weft/http";
import {
  endMomentQuerySchema,
  momentQuerySchema,
  pageQuerySchema,
  pageSchema,
  upsertHistoryDeleteSchema,
  upsertHistoryRecordSchema,
  uuidSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import type { UpsertHistoryService } from "./upsert-history.service.ts";

const tag = "Upsert history";
const listQuery = pageQuerySchema.extend({
  order: z.enum(["ASC", "DESC"]).meta({ default: "ASC" }).optional(),
  startDate: momentQuerySchema.optional(),
  endDate: endMomentQuerySchema.optional(),
});

/** Routes of `/upsert-history` (reference, "Upsert history"). */
export function upsertHistoryRoutes(service: UpsertHistoryService): Route[] {
  const remove = {
    method: "PATCH",
    description:
      "Marks the upserts as deleted so that they are no longer listed. Returns 404 if none of them are listed.",
    tag,
    permission: "agents:write",
    body: upsertHistoryDeleteSchema,
    returns: null,
    errors: [400, 404],
  } as const;
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/upsert-history/{id}",
      operationId: "listUpsertHistory",
      summary: "List the upserts of an agent, oldest first",
      description: "Returns an empty list for an unknown agent.",
      tag,
      permission: "agents:read",
      agent: { param: "id", unknown: () => [] },
      params: z.object({ id: z.string().toLowerCase() }),
      query: listQuery,
      returns: { schema: z.union([z.array(upsertHistoryRecordSchema), pageSchema(upsertHistoryRecordSchema)]) },
      errors: [400],
      handle: ({ params, query }) => service.list(params.id, query),
    }),
    defineRoute({
      ...remove,
      path: "/api/v1/upsert-history/{id}",
      operationId: "deleteUpsertHistoryOfAgent",
      agent: {
        param: "id",
        unknown: () => {
          throw new WeftError("upsert-history-not-found");
        },
      },
      summary: "Delete upserts from the history of an agent",
      params: z.object({ id: uuidSchema }),
      handle: ({ params, body }) => service.remove(body.ids, params.id),
    }),
    defineRoute({
      ...remove,
      path: "/api/v1/upsert-history",
      operationId: "deleteUpsertHistory",
      summary: "Delete upserts from the history",
      handle: ({ body }) => service.remove(body.ids),
    }),
  ];
}
