import { defineNode } from "@weft/engine/node";
import { jsonObjectSchema } from "@weft/schema";
import { z } from "zod";
import { formSettings } from "./form.ts";
import { scheduleSettings } from "./start-schedule.ts";
import { checkWebhook, webhookSettings } from "./start-webhook.ts";

/** Where a run begins: takes what the user sent and declares the flow's state. */
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
    return [
      { level: "error", code: "schedule-missing", path: "schedule", message: "Its schedule has no time. Enter one." },
    ];
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
