import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";
import { pageSchema } from "./page.ts";

export const noticeKinds = [
  "failed-runs",
  "budget-near",
  "budget-spent",
  "callbacks-failing",
  "person-awaited",
  "hand-over",
  "store-failing",
  "schedule-failing",
  "channel-failing",
] as const;
export const noticeKindSchema = z.enum(noticeKinds);
export type NoticeKind = z.infer<typeof noticeKindSchema>;

/** Something that people should look at. It is open until its cause is over. */
export const noticeSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    kind: noticeKindSchema,
    subject: z
      .object({ id: z.string(), name: z.string() })
      .meta({ description: "The agent, document store or notice channel that it is about" }),
    text: z.string().meta({ description: "What happened, in English. It never holds what people or agents said" }),
    link: z.string().meta({ description: "The page of the builder that shows it, as a path" }),
    count: z.number().int().meta({
      description:
        "How many runs, callbacks, waiting runs, conversations, sources or firings; of a budget the percentage used",
    }),
    of: z.number().int().nullable().meta({ description: "`failed-runs`: how many runs ended in that hour" }),
    detail: z
      .string()
      .meta({ description: "Of a budget whose and what: `agent` or `visitors`, and the amount, as in `agent/tokens`" }),
    state: z.enum(["open", "resolved"]),
    since: timestampSchema,
    resolvedDate: timestampSchema.nullable(),
    isSeen: z.boolean().meta({ description: "Whether the caller has marked it as seen" }),
  })
  .meta({
    id: "Notice",
    examples: [
      {
        id: "5f0c9a52-6f3e-4b8e-8a35-0f6c2d1e7b94",
        kind: "failed-runs",
        subject: { id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f", name: "Support" },
        text: "“Support”: 12 of 30 runs failed in the last hour.",
        link: "/executions?agentflowId=3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        count: 12,
        of: 30,
        detail: "",
        state: "open",
        since: "2026-01-31T12:00:00.000Z",
        resolvedDate: null,
        isSeen: false,
      },
    ],
  });
export type Notice = z.infer<typeof noticeSchema>;

export const noticePageSchema = pageSchema(noticeSchema).extend({
  unseen: z.number().int().meta({ description: "Open notices that the caller has not seen" }),
});
export type NoticePage = z.infer<typeof noticePageSchema>;

/** At most 100 at once. */
export const noticesSeenSchema = z
  .object({ ids: z.array(uuidSchema).min(1, "must not be empty").max(100) })
  .meta({ id: "NoticesSeen", examples: [{ ids: ["5f0c9a52-6f3e-4b8e-8a35-0f6c2d1e7b94"] }] });

export const noticeChannelKindSchema = z.enum(["mail", "webhook", "slack"]);
export type NoticeChannelKind = z.infer<typeof noticeChannelKindSchema>;

const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

const quietHoursSchema = z
  .object({
    from: timeOfDaySchema,
    to: timeOfDaySchema,
    timeZone: z.string().max(100).refine(isTimeZone, "must be a time zone such as Europe/Berlin"),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], error: "must differ from the beginning" });
export type QuietHours = z.infer<typeof quietHoursSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const agentsSchema = z.union([z.literal("all"), z.array(uuidSchema).min(1, "must not be empty").max(100)]);

const example = {
  name: "On call",
  kind: "slack",
  kinds: ["failed-runs", "budget-spent"],
  agents: "all",
  quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" },
  isEnabled: true,
} as const;

/** Where notices are sent. The address of a webhook is a secret: only its beginning is returned. */
export const noticeChannelSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    kind: noticeChannelKindSchema,
    address: z.string().meta({ description: "An address for mail, or the beginning of a webhook's address" }),
    kinds: z.array(noticeKindSchema),
    agents: z.union([z.literal("all"), z.array(z.string())]),
    quietHours: quietHoursSchema.nullable(),
    isEnabled: z.boolean(),
    waiting: z.number().int().meta({ description: "Notices that are to be sent" }),
    error: z.string().nullable().meta({ description: "Why the last attempt failed; null: it did not" }),
    nextDate: timestampSchema.nullable().meta({ description: "The next attempt, after one that failed" }),
    givenUpDate: timestampSchema
      .nullable()
      .meta({ description: "When attempts ended after a day, if nothing could be sent since" }),
    sentDate: timestampSchema.nullable().meta({ description: "When something was last sent" }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "NoticeChannel",
    examples: [
      {
        id: "7d1f4b0e-93a5-4c58-b0c6-2e8a9d7f6c15",
        ...example,
        kinds: [...example.kinds],
        address: "https://hooks.slack.com/…",
        ...{ waiting: 0, error: null, nextDate: null, givenUpDate: null, sentDate: "2026-01-31T12:00:00.000Z" },
        createdDate: "2026-01-30T12:00:00.000Z",
        updatedDate: "2026-01-30T12:00:00.000Z",
      },
    ],
  });
export type NoticeChannel = z.infer<typeof noticeChannelSchema>;

const fields = {
  name: z.string().trim().min(1, "must not be empty").max(100),
  address: z.string().trim().min(1, "must not be empty").max(2_000),
  secret: z.string().max(200),
  kinds: z.array(noticeKindSchema).min(1, "must not be empty").max(noticeKinds.length),
  agents: agentsSchema,
  quietHours: quietHoursSchema.nullable(),
  isEnabled: z.boolean(),
};

/** `secret`: signs what a webhook receives, by Standard Webhooks; the other kinds have none. */
export const noticeChannelCreateSchema = z
  .object({
    ...fields,
    id: uuidSchema.optional(),
    kind: noticeChannelKindSchema,
    secret: fields.secret.default(""),
    kinds: fields.kinds.default([...noticeKinds]),
    agents: fields.agents.default("all"),
    quietHours: fields.quietHours.default(null),
    isEnabled: fields.isEnabled.default(true),
  })
  .meta({
    id: "NoticeChannelCreate",
    examples: [{ ...example, kinds: [...example.kinds], address: "https://hooks.example.com/services/ops" }],
  });
export type NoticeChannelCreate = z.infer<typeof noticeChannelCreateSchema>;

/** Absent fields stay unchanged, address and secret included. */
export const noticeChannelUpdateSchema = z
  .object(fields)
  .partial()
  .meta({ id: "NoticeChannelUpdate", examples: [{ isEnabled: false }] });
export type NoticeChannelUpdate = z.infer<typeof noticeChannelUpdateSchema>;

export const noticeTestSchema = z
  .object({
    ok: z.boolean(),
    status: z.number().int().nullable().meta({ description: "The status of the answer; null: there was none" }),
    answer: z.string().meta({ description: "What the other end said, or why nothing could be sent" }),
  })
  .meta({ id: "NoticeTest", examples: [{ ok: false, status: 404, answer: "no_service" }] });
export type NoticeTest = z.infer<typeof noticeTestSchema>;
