import { z } from "zod";
import { defineLoader } from "./define-loader.ts";

export const plainText = defineLoader({
  name: "plain-text",
  title: "Plain text",
  summary: "Text that is typed or pasted in.",
  group: "text",
  config: z.object({
    text: z.string().min(1, "Enter a text").max(20_000_000).meta({ title: "Text", widget: "textarea" }),
  }),
  aliases: { names: ["plainText"], keys: {} },
  sourceOf: ({ text }, { hash }) => hash(text),
  *load({ text }) {
    yield { type: "document", source: "text", text, metadata: {} };
  },
});
