import { z } from "zod";
import { endMomentQuerySchema, momentQuerySchema, wholeNumberQuery } from "./page.ts";

export const auditOutcomes = ["done", "failed", "refused"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export const auditActorKinds = ["account", "api-key", "operator", "nobody"] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

/** The order of its fields is part of the chain: see docs/audit.md. */
export const auditEntrySchema = z
  .object({
    seq: z.number().int().meta({ description: "1, 2, 3 and so on, without gaps" }),
    date: z.string(),
    actor: z.object({
      kind: z.enum(auditActorKinds).meta({ description: "`nobody`: someone who is not signed in" }),
      id: z.string(),
      name: z.string().meta({ description: "E-mail address of the account or name of the API key at that time" }),
    }),
    action: z.string().meta({ description: "The operation, as the API names it" }),
    outcome: z.enum(auditOutcomes).meta({
      description: "`failed`: a sign-in that did not succeed; `refused`: the caller lacked the permission",
    }),
    thing: z.object({
      kind: z.string().meta({ description: "First segment of the operation's path, such as `credentials`" }),
      id: z.string().meta({ description: "Empty if the action is about no single thing" }),
    }),
    fields: z.array(z.string()).meta({ description: "Names of the fields that the request brought, without values" }),
    omitted: z.number().int().meta({
      description: "How many more failed or refused requests this entry stands for: only some are written each minute",
    }),
    address: z.string().meta({ description: "IP address of the client" }),
    requestId: z.string(),
    hash: z.string().meta({ description: "SHA-256 over the previous entry's hash and this entry" }),
  })
  .meta({
    id: "AuditEntry",
    examples: [
      {
        seq: 1,
        date: "2026-11-30T12:00:00.000Z",
        actor: { kind: "account", id: "6a1d5f6e-2b0e-4d53-9d6b-0f2d3c7a9b10", name: "ada@example.com" },
        action: "updateCredential",
        outcome: "done",
        thing: { kind: "credentials", id: "0b8c7f5c-6a3e-4a86-8f4e-2f6f0f0f7a11" },
        fields: ["name", "plainDataObj"],
        omitted: 0,
        address: "192.0.2.7",
        requestId: "0196f3a2-7c51-7c3e-9a41-2f4f8f6f0c12",
        hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    ],
  });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditFilterSchema = z.object({
  actor: z.string().trim().min(1).max(320).optional().meta({
    description: "Id, e-mail address or key name of who did it, or `operator`",
  }),
  action: z.string().trim().min(1).max(100).optional(),
  thing: z.string().trim().min(1).max(500).optional().meta({ description: "Id of what it was done to" }),
  from: momentQuerySchema.optional(),
  to: endMomentQuerySchema.optional(),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditQuerySchema = auditFilterSchema.extend({
  before: wholeNumberQuery(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: "Only entries before this `seq`: `next` of the page before" }),
  limit: wholeNumberQuery(1, 200).optional().meta({ default: 50 }),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditPageSchema = z
  .object({
    data: z.array(auditEntrySchema),
    next: z.number().int().nullable().meta({ description: "`before` of the next page; null: this is the last one" }),
  })
  .meta({ id: "AuditPage" });
export type AuditPage = z.infer<typeof auditPageSchema>;
