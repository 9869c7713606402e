import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** One vector upsert and its settings (reference, "Upsert history record"). */
export const upsertHistoryRecordSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    chatflowid: z.string().meta({ format: "uuid" }),
    result: z.string().meta({ description: "JSON text" }),
    flowData: z.string().meta({ description: "JSON text" }),
    date: timestampSchema,
  })
  .meta({
    id: "UpsertHistoryRecord",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        result: '{"numAdded":12,"numDeleted":0,"numUpdated":0,"numSkipped":3,"addedDocs":[]}',
        flowData: "{}",
        date: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type UpsertHistoryRecord = z.infer<typeof upsertHistoryRecordSchema>;

/** Ids of the records to soft-delete. */
export const upsertHistoryDeleteSchema = z
  .object({ ids: z.array(uuidSchema).min(1).max(1_000) })
  .meta({ id: "UpsertHistoryDelete", examples: [{ ids: ["7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a"] }] });
