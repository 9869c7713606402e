import { defineNode } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { z } from "zod";
import { storeId } from "./knowledge.ts";

const component = z.strictObject({ name: z.string().max(100), config: z.record(z.string(), z.json()).default({}) });

/** A document store as a place to write to: by runs, and by uploads to the agent (`POST /vector/upsert/{agentId}`). */
export const vectorStore = defineNode({
  type: "vector-store",
  version: 1,
  title: "Vector Store",
  summary: "Writes to a document store.",
  group: "action",
  icon: "search",
  outline: ["storeId"],
  config: z.object({
    storeId: storeId.default(""),
    text: z
      .string()
      .max(1_000_000)
      .default("")
      .meta({
        title: "Text",
        help: "Text that a run writes to the store. If empty, only uploads to the agent are written.",
        widget: "textarea",
        ...templated,
      }),
    source: z
      .string()
      .max(500)
      .default("")
      .meta({ title: "Source", help: "Shown in answers as the source of the text.", ...templated }),
    loader: component
      .optional()
      .meta({ title: "Loader", help: "Used for uploads without files.", widget: "json", advanced: true }),
    splitter: component
      .optional()
      .meta({ title: "Splitter", help: "How uploads are split.", widget: "json", advanced: true }),
  }),
  standsAlone: ({ text }) => text === "",
  check: ({ storeId: id }) =>
    id === "" ? [{ level: "error", code: "store-missing", path: "storeId", message: "Choose a document store." }] : [],
  async execute(context, config) {
    const { agentId, chatId } = context.run;
    const text = context.renderText(config.text).trim();
    const source = context.renderText(config.source).trim();
    if (text === "") return { type: "completed", output: nothing, text: "" };
    const output = await context.effect(
      { key: "write", kind: "idempotent", category: "retrieval", name: config.storeId, input: { text, source } },
      async ({ signal }) => {
        const metadata = source === "" ? {} : { source };
        return {
          ...(await context.services.documentWriter.write({
            storeId: config.storeId,
            agentId,
            chatId,
            text,
            metadata,
            signal,
          })),
        };
      },
    );
    return { type: "completed", output, text };
  },
});

const nothing = { numAdded: 0, numUpdated: 0, numDeleted: 0, numSkipped: 0 };
