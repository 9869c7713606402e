import { defineNode } from "@weft/engine";
import { jsonObjectSchema } from "@weft/schema";
import { z } from "zod";

/** Where a run begins: takes the user's message and declares the flow's state. */
export const start = defineNode({
  type: "start",
  version: 1,
  title: "Start",
  summary: "Where every run begins, with the user's message.",
  group: "start",
  answers: "never",
  config: z.object({
    input: z.enum(["chat"]).default("chat").meta({ title: "Input", help: "A chat message starts the run." }),
    state: jsonObjectSchema
      .default({})
      .meta({ title: "State", help: "Values that nodes read as {{ $flow.state.name }}.", widget: "key-value" }),
  }),
  async execute(context, config) {
    const { question, form } = context.run.input;
    const output = { ...(question === undefined ? {} : { question }), ...(form === undefined ? {} : { form }) };
    return { type: "completed", output, text: question ?? "", state: config.state };
  },
});
