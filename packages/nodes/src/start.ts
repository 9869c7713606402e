import type { WithGraph } from "@weft/engine";
import { defineNode } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { jsonObjectSchema } from "@weft/schema";
import { z } from "zod";
import { type FormSettings, formSettings } from "./form.ts";
import { checkWebhook, type WebhookSettings, webhookSettings } from "./start-webhook.ts";

/** When a flow starts by itself, and its question. */
const scheduleSettings = z
  .strictObject({
    cron: z
      .string()
      .trim()
      .max(200)
      .refine(looksLikeCron, "must be five or six fields of cron, such as 0 9 * * 1-5")
      .meta({
        title: "When",
        help: "Minute, hour, day, month, weekday. With six fields, the first is the second.",
        widget: "cron",
      }),
    timeZone: z
      .string()
      .max(100)
      .refine(isTimeZone, "must be a time zone, such as Europe/Berlin")
      .default("UTC")
      .meta({ title: "Time zone", widget: "time-zone" }),
    endDate: z
      .string()
      .max(40)
      .refine((text) => !Number.isNaN(Date.parse(text)), "must be a date, such as 2027-12-31")
      .optional()
      .meta({
        title: "Until",
        placeholder: "2027-12-31",
        help: "The last day, or a date and time. Leave empty to run indefinitely.",
        advanced: true,
      }),
    question: z
      .string()
      .max(200_000)
      .default("")
      .meta({ title: "Question", help: "The question the flow receives.", widget: "textarea", ...templated }),
    form: jsonObjectSchema.optional().meta({
      title: "Form",
      help: "Values that nodes read as {{ $form.name }}, used instead of a question.",
      widget: "key-value",
      item: "value",
      advanced: true,
      provides: "$form",
    }),
    catchUp: z
      .enum(["skip", "latest"])
      .default("skip")
      .meta({
        title: "After a pause",
        labels: { skip: "Wait for the next time", latest: "Make up for the latest" },
        help: "Whether to catch up on the most recent missed run.",
        advanced: true,
      }),
  })
  .meta({ title: "Schedule", showWhen: { field: "input", is: ["schedule"] } });
export type ScheduleSettings = z.infer<typeof scheduleSettings>;

/** Finds typing mistakes. Only the schedule keeper can tell whether such a moment exists. */
function looksLikeCron(text: string): boolean {
  const fields = text.split(/\s+/);
  return (fields.length === 5 || fields.length === 6) && fields.every((field) => /^[\dA-Za-z*,/?#+-]+$/.test(field));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The start of a run: takes the user's input and declares the flow's state. */
export const start = defineNode({
  type: "start",
  version: 1,
  title: "Start",
  summary: "Where every run starts: with a user's message or form, a webhook request, or on a schedule.",
  group: "start",
  icon: "play",
  outline: ["input"],
  answers: "never",
  config: z.object({
    input: z
      .enum(["chat", "form", "webhook", "schedule"])
      .default("chat")
      .meta({
        title: "Input",
        help: "What starts a run.",
        labels: { chat: "Chat", form: "Form", webhook: "Webhook", schedule: "Schedule" },
      }),
    form: formSettings.default({ title: "", description: "", fields: [] }),
    webhook: webhookSettings.prefault({}),
    schedule: scheduleSettings.optional(),
    state: jsonObjectSchema.default({}).meta({
      title: "State",
      help: "Values that nodes read as {{ $flow.state.name }}.",
      widget: "key-value",
      item: "value",
      provides: "$flow.state",
    }),
    persistState: z.boolean().default(false).meta({
      title: "Keep the state",
      help: "Each run of a session starts with the state left by the previous run.",
      advanced: true,
    }),
    ephemeralMemory: z.boolean().default(false).meta({
      title: "Forget the session",
      help: "Each run starts without the session's earlier messages.",
      advanced: true,
    }),
  }),
  isEphemeral: (config) => config.ephemeralMemory,
  declaresState: (config) => Object.keys(config.state),
  check({ input, webhook, schedule }) {
    if (input === "webhook") return checkWebhook(webhook);
    if (input !== "schedule" || schedule !== undefined) return [];
    return [{ level: "error", code: "schedule-missing", path: "schedule", message: "Choose when it runs." }];
  },
  async execute(context, config) {
    const { question, form, webhook } = context.run.input;
    const output = {
      ...(question === undefined ? {} : { question }),
      ...(form === undefined ? {} : { form }),
      ...(webhook === undefined ? {} : { webhook }),
    };
    const state = config.persistState ? { ...config.state, ...(await context.lastState()) } : config.state;
    return { type: "completed", output, text: question ?? "", state };
  },
});

type StartConfig = { input: string; form: FormSettings; webhook: WebhookSettings; schedule?: ScheduleSettings };

function startOf({ graph }: WithGraph): StartConfig | undefined {
  const node = [...graph.nodes.values()].find(({ type }) => type.type === start.type);
  return node?.config as StartConfig | undefined;
}

/** The form that starts a flow; undefined if it starts otherwise. */
export function formOf(flow: WithGraph): FormSettings | undefined {
  const settings = startOf(flow);
  return settings?.input === "form" ? settings.form : undefined;
}

/** The webhook that starts a flow; undefined if it starts otherwise. */
export function webhookOf(flow: WithGraph): WebhookSettings | undefined {
  const settings = startOf(flow);
  return settings?.input === "webhook" ? settings.webhook : undefined;
}

/** The schedule that starts a flow; undefined if it starts otherwise. */
export function scheduleOf(flow: WithGraph): ScheduleSettings | undefined {
  const settings = startOf(flow);
  return settings?.input === "schedule" ? settings.schedule : undefined;
}
