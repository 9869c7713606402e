import type { NodeContext } from "@weft/engine/node";
import type { Tool } from "@weft/engine/ports/tool";
import { type Document, metadataFilterSchema, withoutCitation } from "@weft/schema";
import { z } from "zod";
import { renderFilter } from "./render-filter.ts";

export const topK = z
  .number()
  .int()
  .min(1)
  .max(100)
  .optional()
  .meta({ title: "Most passages", help: "If empty, the store's setting is used." });

export const storeId = z.string().min(1, "Choose a document store").max(100).meta({
  title: "Document store",
  widget: "document-store",
});

/** What the metadata of passages must meet. */
export const filter = metadataFilterSchema.optional().meta({
  title: "Filter",
  help: 'Finds only passages whose metadata has these values: { "topic": "refunds", "year": { "$gte": 2024 } }. Texts may hold {{ … }}; if one has no value, nothing is found.',
  widget: "json",
  advanced: true,
});

/** Document stores that a model may search, each with what tells it when. */
export const knowledgeSettings = z
  .array(
    z.strictObject({
      storeId,
      name: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/, "takes letters, digits, _ and -, at most 64")
        .meta({ title: "Name", help: "Name the model uses for it: letters, digits, _ and -." }),
      description: z
        .string()
        .max(4_000)
        .default("")
        .meta({ title: "Description", help: "Tells the model what the store contains.", widget: "textarea" }),
      topK,
      filter,
      returnSourceDocuments: z
        .boolean()
        .default(true)
        .meta({ title: "Show sources", help: "The answer lists the passages that were found.", advanced: true }),
      requiresApproval: z.boolean().default(false).meta({
        title: "Ask a person first",
        help: "The run waits until someone approves each search.",
        advanced: true,
      }),
    }),
  )
  .max(50)
  .default([])
  .meta({
    title: "Knowledge",
    help: "Document stores that the model can search.",
    widget: "rows",
    item: "document store",
  });
export type KnowledgeSettings = z.infer<typeof knowledgeSettings>;

/** One read tool for each store. */
export function knowledgeTools(context: NodeContext, knowledge: KnowledgeSettings): Tool[] {
  const { agentId } = context.run;
  return knowledge.map(({ name, description, returnSourceDocuments, requiresApproval, filter: given, ...search }) => ({
    name,
    description: description.trim() || `Searches the documents of ${name}.`,
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "What to look for, in words." } },
      required: ["query"],
      additionalProperties: false,
    },
    kind: "read",
    requiresApproval,
    async call({ query }, { signal }) {
      const filter = renderFilter(context, given);
      const asked = { ...search, agentId, query: String(query), signal };
      const found = filter === "nothing" ? [] : await context.services.retriever.retrieve({ ...asked, filter });
      const passages = found.map(withoutCitation);
      const content = passages.length === 0 ? "Nothing was found." : toText(passages);
      return { content, ...(returnSourceDocuments ? { sourceDocuments: passages } : {}) };
    },
  }));
}

/** The passages as a reader sees them, with a blank line between them. */
export function toText(documents: readonly Document[]): string {
  return documents.map(({ pageContent }) => pageContent).join("\n\n");
}
