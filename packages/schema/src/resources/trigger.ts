import { z } from "zod";
import { timestampSchema } from "./field.ts";

/** When an agent starts by itself. */
export const scheduleRecordSchema = z
  .object({
    chatflowid: z.string(),
    cron: z.string(),
    timeZone: z.string(),
    endDate: z.string().nullable(),
    catchUp: z.string(),
    enabled: z.boolean(),
    nextRunDate: timestampSchema.nullable(),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Schedule",
    examples: [
      {
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        cron: "0 9 * * 1-5",
        timeZone: "Europe/Berlin",
        endDate: null,
        catchUp: "skip",
        enabled: true,
        nextRunDate: "2025-02-03T08:00:00.000Z",
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type ScheduleRecord = z.infer<typeof scheduleRecordSchema>;

export const scheduleStatusSchema = z
  .object({
    enabled: z.boolean(),
    canEnable: z.boolean(),
    reason: z.string().nullable().meta({ description: "Why it cannot be enabled." }),
    record: scheduleRecordSchema.nullable(),
  })
  .meta({ id: "ScheduleStatus" });
export type ScheduleStatus = z.infer<typeof scheduleStatusSchema>;

export const scheduleLogStatusSchema = z.enum(["RUNNING", "SUCCEEDED", "FAILED", "SKIPPED"]);

/** One moment at which a schedule was due. */
export const scheduleLogSchema = z
  .object({
    id: z.string(),
    executionId: z.string().nullable(),
    status: scheduleLogStatusSchema,
    scheduledDate: timestampSchema,
    error: z.string().nullable().meta({ description: "Why no run began." }),
    createdDate: timestampSchema,
  })
  .meta({
    id: "ScheduleLog",
    examples: [
      {
        id: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        executionId: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        status: "SUCCEEDED",
        scheduledDate: "2025-02-03T08:00:00.000Z",
        error: null,
        createdDate: "2025-02-03T08:00:00.412Z",
      },
    ],
  });
export type ScheduleLog = z.infer<typeof scheduleLogSchema>;

/** What a caller hears whose run is answered later. */
export const webhookAcceptedSchema = z
  .object({ chatId: z.string(), executionId: z.string().optional(), status: z.literal("PROCESSING") })
  .meta({ id: "WebhookAccepted" });
export type WebhookAccepted = z.infer<typeof webhookAcceptedSchema>;

/** The secret of an agent's webhook: shown once. */
export const webhookSecretSchema = z.object({ webhookSecret: z.string() }).meta({
  id: "WebhookSecret",
  examples: [{ webhookSecret: "5f0c6d0f3c1d4b7a9e8d7c6b5a493827161504f3e2d1c0b9a8f7e6d5c4b3a291" }],
});
