import { z } from "zod";

/** Kinds of data that an installation keeps. */
export const retentionKindSchema = z.enum([
  "runs",
  "payloads",
  "upserts",
  "visitor-chats",
  "chats",
  "leads",
  "uploads",
  "unsent-files",
  "audit",
  "logs",
]);
export type RetentionKind = z.infer<typeof retentionKindSchema>;

/** How long data of a kind is stored, and the server setting that changes it. */
export const retentionSchema = z
  .object({
    kind: retentionKindSchema,
    keptSeconds: z
      .number()
      .int()
      .nullable()
      .meta({ description: "Null: until it is deleted by a person or a request. 0: the server keeps none." }),
    setting: z.string().nullable().meta({ description: "Environment variable that changes it; null: none does." }),
  })
  .meta({ id: "Retention", examples: [{ kind: "payloads", keptSeconds: 2_592_000, setting: "PAYLOAD_RETENTION" }] });
export type Retention = z.infer<typeof retentionSchema>;
