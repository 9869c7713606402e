import { defineNode } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { z } from "zod";

/** Answers with a fixed or templated text; takes precedence over other leaves. */
export const directReply = defineNode({
  type: "direct-reply",
  version: 1,
  title: "Direct reply",
  summary: "Answers with a fixed text.",
  group: "answer",
  icon: "message",
  outline: ["message"],
  answers: "reply",
  config: z.object({
    message: z
      .string()
      .max(200_000)
      .default("")
      .meta({ title: "Message", widget: "textarea", ...templated }),
  }),
  review: ({ message }) =>
    message.trim() === ""
      ? [{ level: "warning", code: "reply-empty", path: "message", message: "Write a message." }]
      : [],
  async execute(context, config) {
    const text = context.renderText(config.message);
    return { type: "completed", output: { content: text }, text };
  },
});
