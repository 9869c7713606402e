import type { NodeContext, NodeUses } from "@weft/engine/node";
import type { Retrieval, Retrieved } from "@weft/engine/ports/retriever";
import type { Tool } from "@weft/engine/ports/tool";
import { parseTemplate } from "@weft/engine/template";
import {
  type Document,
  isJsonObject,
  type Json,
  type JsonObject,
  metadataFilterSchema,
  type RetrievalSettings,
  readFilter,
  retrievalSettingsSchema,
  withoutCitation,
} from "@weft/schema";
import { z } from "zod";

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
  ref: "document-store",
});

/** Condition on the metadata of passages. */
export const filter = metadataFilterSchema.optional().meta({
  title: "Filter",
  help: 'Finds only passages whose metadata has these values: { "topic": "refunds", "year": { "$gte": 2024 } }. Texts may hold {{ … }}; if one has no value, nothing is found.',
  widget: "json",
  advanced: true,
});

/** How a step queries its stores. */
export const search = retrievalSettingsSchema.optional().meta({
  title: "How it is searched",
  help: "What is empty is as each store is set up.",
  widget: "group",
  advanced: true,
});

/** Document stores that a model may search, each with a description of when to. */
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
      moreStores: z.array(z.strictObject({ storeId, filter })).max(19).default([]).meta({
        title: "Further stores",
        help: "Searched with it, as one: the most relevant passages of all come first.",
        widget: "rows",
        item: "document store",
        advanced: true,
      }),
      search,
      returnSourceDocuments: z
        .boolean()
        .default(true)
        .meta({ title: "Show sources", help: "The answer lists the passages that were found.", advanced: true }),
      requiresApproval: z.boolean().default(false).meta({
        title: "Require approval",
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

/** One read tool per entry. */
export function knowledgeTools(context: NodeContext, knowledge: KnowledgeSettings): Tool[] {
  return knowledge.map((entry) => ({
    name: entry.name,
    description: entry.description.trim() || `Searches the documents of ${entry.name}.`,
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "What to look for, in words." } },
      required: ["query"],
      additionalProperties: false,
    },
    kind: "read",
    effect: "read",
    requiresApproval: entry.requiresApproval,
    async call({ query }, { signal, idempotencyKey }) {
      const found = await searchStores(context, {
        stores: [entry, ...entry.moreStores],
        query: String(query),
        topK: entry.moreStores.length > 0 ? entry.topK : undefined,
        settings: entry.search,
        // The end of the key is that of the call, which is one of several in its step.
        step: idempotencyKey.slice(idempotencyKey.lastIndexOf(":") + 1),
        signal,
      });
      const { documents, nothing = `Nothing about this was found in ${entry.name}.` } = found;
      const content = documents.length === 0 ? nothing : toText(documents);
      return { content, ...(entry.returnSourceDocuments ? { sourceDocuments: documents } : {}) };
    },
  }));
}

type StoresSearch = Pick<Retrieval, "query" | "topK" | "settings" | "history" | "signal"> & {
  stores: readonly { storeId: string; topK?: number | undefined; filter?: JsonObject | undefined }[];
  /** Key of the effect that searches: model calls on the way are effects of their own. */
  step: string;
};

/**
 * Searches stores within an effect of a step. Those whose filter cannot be resolved are not searched; partial failures
 * of a search warn the run.
 */
export async function searchStores(
  context: NodeContext,
  { stores, step, ...asked }: StoresSearch,
): Promise<Pick<Retrieved, "documents" | "nothing">> {
  const wanted = stores.flatMap(({ storeId: id, topK: most, filter: given }) => {
    const rendered = renderFilter(context, given);
    return rendered === "nothing" ? [] : [{ storeId: id, topK: most, filter: rendered }];
  });
  if (wanted.length === 0) return { documents: [] };
  const { documents, warnings, nothing } = await context.services.retriever.retrieve({
    ...asked,
    stores: wanted,
    agentId: context.run.agentId,
    // Unlike those of a read, its result is durable before the search continues.
    ask: ({ key, name, input }, make) =>
      context.effect({ key: `${step}/${key}`, kind: "idempotent", category: "model", name, input }, ({ signal }) =>
        make(signal),
      ),
  });
  for (const { code, message } of warnings) context.warn(code, `${context.label}: ${message}`);
  return { documents: documents.map(withoutCitation), ...(nothing !== undefined && { nothing }) };
}

/** For `uses` of a node: the chat model that helps its search, if one does. */
export function usesHelperModel(settings: RetrievalSettings | undefined, path: string): NodeUses {
  const { rewrite = false, variants = 0, hypothetical = false, rerank, chatModel = {} } = settings ?? {};
  const isUsed = rewrite || variants > 0 || hypothetical || rerank?.provider === "chat-model";
  return isUsed ? { models: [{ path: `${path}.chatModel`, reference: chatModel }] } : {};
}

/** The passages for a reader, separated by blank lines. */
export function toText(documents: readonly Document[]): string {
  return documents.map(({ pageContent }) => pageContent).join("\n\n");
}

/**
 * The filter with its templates rendered. `nothing`: a text has no value, so that the filter is undefined, and no
 * passage may be found; the run is warned.
 */
function renderFilter(context: NodeContext, given: JsonObject | undefined): JsonObject | undefined | "nothing" {
  if (given === undefined) return undefined;
  try {
    const rendered = renderObject(context, given);
    const read = readFilter(rendered);
    if (!("problem" in read)) return rendered;
    throw new Untold(`filter.${read.problem.path.join(".")} ${read.problem.reason}`);
  } catch (error) {
    if (!(error instanceof Untold)) throw error;
    context.warn("filter-untold", `${context.label}: nothing was searched, because ${error.message}`);
    return "nothing";
  }
}

/** The filter cannot be resolved in this run. */
class Untold extends Error {}

function renderObject(context: NodeContext, given: JsonObject): JsonObject {
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    if (isJsonObject(value)) return [name, renderObject(context, value)];
    if (Array.isArray(value)) return [name, value.flatMap((each) => renderItem(context, each))];
    return hasTemplate(value) ? toEntry(name, renderValue(context, value)) : [name, value];
  });
  if (new Set(entries.map(([name]) => name)).size === entries.length) return Object.fromEntries(entries);
  throw new Untold("its filter names one operator twice.");
}

/** A number from a template may match a text in the metadata, if compared for equality. */
function toEntry(name: string, told: Json): [string, Json] {
  if (name === "$in" || name === "$nin") return [name, [told].flat().flatMap(inBothForms)];
  const forms = inBothForms(told);
  if (forms.length === 1) return [name, told];
  if (name === "$eq") return ["$in", forms];
  if (name === "$ne") return ["$nin", forms];
  return [name, name.startsWith("$") ? told : { $in: forms }];
}

function hasTemplate(value: Json): value is string {
  return typeof value === "string" && value.includes("{{");
}

function renderItem(context: NodeContext, item: Json): Json[] {
  if (isJsonObject(item)) return [renderObject(context, item)];
  if (!hasTemplate(item)) return [item];
  return [renderValue(context, item)].flat().flatMap(inBothForms);
}

function inBothForms(value: Json): Json[] {
  return typeof value === "number" || typeof value === "boolean" ? [value, String(value)] : [value];
}

/** Every reference in it must have a value: a filter for `user-` is not one for a user. */
function renderValue(context: NodeContext, text: string): Json {
  for (const part of parseTemplate(text)) {
    if (part.kind === "reference" && isEmpty(context.render(part.source))) {
      throw new Untold(`${part.source} in its filter has no value.`);
    }
  }
  return context.render(text);
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isEmpty);
  return value === null || (typeof value === "string" && value.trim() === "");
}
