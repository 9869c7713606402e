import { z } from "zod";
import { timestampSchema } from "./field.ts";

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

/** One due moment of a schedule. */
export const scheduleLogSchema = z
  .object({
    id: z.string(),
    executionId: z.string().nullable(),
    status: scheduleLogStatusSchema,
    scheduledDate: timestampSchema,
    error: z.string().nullable().meta({ description: "Why no run was started." }),
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

/** The answer to a caller whose run is answered later. */
export const webhookAcceptedSchema = z
  .object({ chatId: z.string(), executionId: z.string().optional(), status: z.literal("PROCESSING") })
  .meta({ id: "WebhookAccepted" });
export type WebhookAccepted = z.infer<typeof webhookAcceptedSchema>;

/** How long the replaced secret stays valid: 30 days at most. */
export const webhookSecretCreateSchema = z
  .object({ previousValidSeconds: z.number().int().min(0).max(2_592_000).optional() })
  .optional()
  .meta({ id: "WebhookSecretCreate", examples: [{ previousValidSeconds: 86_400 }] });

/** The secret of an agent's webhook: shown once. */
export const webhookSecretSchema = z.object({ webhookSecret: z.string() }).meta({
  id: "WebhookSecret",
  examples: [{ webhookSecret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD1mPqFBbLCWE=" }],
});

/** Whether an agent's webhook has a secret of its own, and until when the replaced one is accepted, too. */
export const webhookSecretStateSchema = z
  .object({ exists: z.boolean(), previousValidUntil: z.string().nullable() })
  .meta({ id: "WebhookSecretState", examples: [{ exists: true, previousValidUntil: "2025-02-04T08:00:00.000Z" }] });
export type WebhookSecretState = z.infer<typeof webhookSecretStateSchema>;

/** `FAILED`: given up after a day. `STOPPED`: the receiver wants no more of them. */
export const callbackDeliveryStateSchema = z.enum(["PENDING", "DELIVERED", "FAILED", "STOPPED"]);
export type CallbackDeliveryState = z.infer<typeof callbackDeliveryStateSchema>;

/** One message to a callback address, and its progress. */
export const callbackDeliverySchema = z
  .object({
    id: z.string().meta({ description: "Sent to the receiver as `webhook-id`; the same in every attempt." }),
    executionId: z.string(),
    url: z.string(),
    state: callbackDeliveryStateSchema,
    attempts: z.number().int(),
    lastStatus: z.number().int().nullable().meta({ description: "Status of the receiver's last response." }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed." }),
    nextDate: timestampSchema.nullable().meta({ description: "Time of the next attempt." }),
    attemptDate: timestampSchema.nullable().meta({ description: "Time of the last attempt." }),
    createdDate: timestampSchema,
  })
  .meta({
    id: "CallbackDelivery",
    examples: [
      {
        id: "0f6a1d0e-3b5c-8d7e-9a2b-4c6d8e0f1a2b",
        executionId: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        url: "https://example.com/hook",
        state: "PENDING",
        attempts: 1,
        lastStatus: 503,
        error: "The receiver answered 503.",
        nextDate: "2025-01-31T12:00:05.000Z",
        attemptDate: "2025-01-31T12:00:00.000Z",
        createdDate: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type CallbackDelivery = z.infer<typeof callbackDeliverySchema>;
