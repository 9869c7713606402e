import { isDeepStrictEqual } from "node:util";
import type { CompiledFlow, GraphNode } from "@weft/engine";
import { defineRoute, type Route } from "@weft/http";
import {
  documentUpsertSchema,
  type JsonObject,
  jsonObjectSchema,
  type OwnStore,
  parseJsonOrText,
  toOwnStoreReference,
  type UpsertItem,
  type UpsertResult,
  upsertResultSchema,
  uuidSchema,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import {
  type DocumentFiles,
  type NewFile,
  receivedFilesSchema,
  uploadLimits,
  uploadsSchema,
} from "../files/document-files.ts";
import type { LoaderChat } from "../loaders/prepare-loader.ts";
import { resolveStoreId } from "../search/index.ts";
import { toOneResult, type UpsertService } from "./upsert.service.ts";

type VectorUpsertParts = {
  upserts: UpsertService;
  /** Creates missing stores of an agent's own. */
  own: { make(agent: { id: string; name: string }, stores: readonly OwnStore[]): Promise<void> };
  /** Reads descriptions in flows of other dialects. */
  reader: OwnStoreReader;
  getForRun(agentId: string): Promise<{ agent: { name: string }; versionId: string; flowData: string }>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** Reads the stores that a flow describes. */
type OwnStoreReader = {
  storesOf(flowData: string): readonly OwnStore[];
  /** The stores after a caller replaced inputs. Undefined: the flow describes none, so that nothing can be replaced. */
  override(
    flowData: string,
    inputs: JsonObject,
  ): { stores: readonly OwnStore[]; unknown: string[]; idle: string[] } | undefined;
};

type VectorUpsertRequest = {
  /** Of the upsert. Undefined: a new one. */
  id: string | undefined;
  agentId: string;
  /** The vector store node to use, if the flow has several. */
  stopNodeId: string | undefined;
  /** What to load and how, replacing the node's settings. */
  overrideConfig: JsonObject;
  files: readonly NewFile[];
};

/** Upserts requested of an agent: they go to the document store that its vector store node names or describes. */
type VectorUpsertService = {
  /** Resolves with the upsert's id. Rejects with `not-found` for an unknown agent, and with `parameters-invalid`. */
  begin(request: VectorUpsertRequest): Promise<string>;
  result(id: string): Promise<UpsertResult>;
  /** As `UpsertService.recall`. */
  recall(id: string): Promise<UpsertResult | undefined>;
};

const nodeType = "vector-store";

export function createVectorUpsertService(deps: VectorUpsertParts): VectorUpsertService {
  const { upserts, getForRun, compile } = deps;
  return {
    async begin({ id, agentId, stopNodeId, overrideConfig, files }) {
      const { agent, versionId, flowData } = await getForRun(agentId);
      const config = settingsSchema.parse(nodeOf(compile(versionId, flowData), stopNodeId).config);
      const storeId = resolveStoreId(config.storeId, agentId);
      if (storeId !== config.storeId) {
        await deps.own.make({ id: agentId, name: agent.name }, deps.reader.storesOf(flowData));
        const reference = config.storeId;
        return beginOwn(deps, config, { id, agentId, storeId, reference, flowData, overrideConfig, files });
      }
      assertOverrides(overrideConfig);
      const body = toBody({ ...toLoad(config, overrideConfig), ...overrideConfig });
      if (!body.loader && !body.docId && files.length === 0)
        return upserts.beginRefresh({ storeId, items: [], agentId, id });
      return upserts.begin({ storeId, body, files, agentId, chat: chatOf(agentId, overrideConfig), id });
    },

    result: async (id) => toOneResult(await upserts.result(id)),

    async recall(id) {
      const results = await upserts.recall(id);
      return results && toOneResult(results);
    },
  };
}

/** Upserts to a store of the agent's own: callers may override inputs of the components that describe it. */
function beginOwn({ upserts, reader }: VectorUpsertParts, config: NodeSettings, asked: OwnUpsert): Promise<string> {
  const { id, agentId, storeId, files, overrideConfig } = asked;
  const inputs = Object.fromEntries(Object.entries(overrideConfig).filter(([name]) => !ofTheChat.includes(name)));
  const { rest, loaders = [], splitter } = readOwnOverrides(reader, asked, inputs);
  assertOverrides(rest);
  const own = splitter ?? config.splitter;
  const text = toLoad({ ...config, splitter: undefined, loader: undefined }, rest);
  const brings = text.loader !== undefined || rest.loader !== undefined || files.length > 0;
  const body = toBody({
    ...text,
    ...rest,
    ...(brings && own && rest.splitter === undefined && { splitter: { ...own } }),
  });
  if (loaders.length > 0 && files.length === 0 && !body.loader && !body.docId) {
    const items = loaders.map((loader): UpsertItem => ({ ...body, ...toItem(loader) }));
    return upserts.beginRefresh({ storeId, items, agentId, id });
  }
  const split = body.splitter ? {} : { splitter };
  const chat = chatOf(agentId, overrideConfig);
  return upserts.begin({ storeId, body: { ...body, ...split }, files, agentId, chat, id });
}

/** The operation of the reference, "Vector upsert". */
export function vectorUpsertRoutes(vectorUpserts: VectorUpsertService, { receive }: DocumentFiles): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/vector/upsert/{id}",
      operationId: "upsertVectors",
      summary: "Write documents into the document store of an agent's vector store node",
      description: "Send files as a multipart form. Without files or a loader, every loader of the store is reloaded.",
      tag: "Vector upsert",
      permission: "document-stores:write",
      agent: { param: "id" },
      params: z.object({ id: uuidSchema }),
      body: bodySchema,
      bodyErrorStatus: 422,
      multipart: { form: formSchema, ...uploadLimits, receive },
      returns: { schema: upsertResultSchema },
      errors: [400, 404, 409, 422, 500],
      recall: (id) => vectorUpserts.recall(id),
      recallsRunning: true,
      async handle({ params, body, newId }) {
        const { stopNodeId, overrideConfig, files } = body;
        const id = await vectorUpserts.begin({
          id: newId,
          agentId: params.id,
          stopNodeId: stopNodeId || undefined,
          overrideConfig: overrideConfig ?? {},
          files: files ?? [],
        });
        return vectorUpserts.result(id);
      },
    }),
  ];
}

const bodySchema = z
  .object({
    stopNodeId: z
      .string()
      .max(200)
      .nullish()
      .meta({ description: "Id of the vector store node, if the flow has several" }),
    overrideConfig: jsonObjectSchema
      .nullish()
      .meta({ description: "loader, splitter, metadata, replaceExisting, deleteEmbeddings, docId, or text" }),
    files: uploadsSchema,
  })
  .meta({ id: "VectorUpsert", examples: [{ overrideConfig: { text: "Refunds take five days." } }] });

/** A form: all fields but the node and the files override the node's settings. */
const formSchema = z
  .looseObject({ files: receivedFilesSchema, stopNodeId: z.string().optional() })
  .transform(({ files, stopNodeId, overrideConfig, ...fields }) => ({
    files,
    stopNodeId,
    overrideConfig: typeof overrideConfig === "string" ? parseJsonOrText(overrideConfig) : fields,
  }));

/** The fields of the node's config that an upload needs. */
const settingsSchema = z.object({
  storeId: z.string(),
  loader: jsonObjectSchema.optional(),
  splitter: jsonObjectSchema.optional(),
});
type NodeSettings = z.infer<typeof settingsSchema>;

function nodeOf({ graph }: CompiledFlow, stopNodeId: string | undefined): GraphNode {
  const nodes = [...graph.nodes.values()].filter(({ type }) => type.type === nodeType);
  const ids = nodes.map(({ id }) => id).join(", ");
  if (nodes.length === 0)
    throw invalid("This agent has no vector store node. Add one to its flow, or use its document store.");
  const found = stopNodeId === undefined ? nodes : nodes.filter(({ id }) => id === stopNodeId);
  const [node, ...others] = found;
  if (node === undefined) throw invalid(`stopNodeId is not a vector store node of this agent. It has: ${ids}.`);
  if (others.length > 0)
    throw invalid(`This agent has several vector store nodes. Set stopNodeId to one of them: ${ids}.`);
  return node;
}

/** The node's documents; a text in the override is a loader of its own. */
function toLoad({ loader, splitter }: NodeSettings, { text }: JsonObject): JsonObject {
  const given = typeof text === "string" ? { name: "plainText", config: { text } } : loader;
  return { ...(given && { loader: given }), ...(splitter && { splitter }) };
}

/** Settings shared by all loaders of the store, which no upload of an agent may change. */
const ofTheStore = ["storeId", "embedding", "vectorStore", "createNewDocStore", "docStore"];
const known = ["text", ...Object.keys(documentUpsertSchema.shape).filter((name) => !ofTheStore.includes(name))];
/** Fields that forms of existing clients send beside their files. */
const ofTheChat = ["chatId", "sessionId", "question", "vars"];

/** The chat that the documents come from, as far as the request names one. */
function chatOf(agentId: string, { chatId, sessionId }: JsonObject): LoaderChat | undefined {
  const named = [chatId, sessionId].find((id) => typeof id === "string" && id !== "");
  return typeof named === "string" ? { agentId, chatId: named } : undefined;
}

/** Throws `validation-failed` for an override that would change nothing, and for one of the store's own settings. */
function assertOverrides(overrideConfig: JsonObject): void {
  const refused = Object.keys(overrideConfig).filter((name) => !known.includes(name) && !ofTheChat.includes(name));
  if (refused.length === 0) return;
  throw invalidOverrides(refused, (name) =>
    ofTheStore.includes(name)
      ? "belongs to the document store: change it there"
      : `cannot be overridden by an upsert. It can override ${known.join(", ")}`,
  );
}

function toBody(value: JsonObject) {
  const parsed = documentUpsertSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`overrideConfig.${issue?.path.join(".")} is invalid: ${issue?.message}.`);
}

function invalid(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}

/** An upsert of a store that the agent's flow describes, under the flow's name for it. */
type OwnUpsert = {
  id: string | undefined;
  agentId: string;
  storeId: string;
  reference: string;
  flowData: string;
  overrideConfig: JsonObject;
  files: readonly NewFile[];
};

/** `rest`: inputs that belong to no component of the flow. Undefined are loaders and a splitter that none changes. */
type OwnRequest = { rest: JsonObject; loaders: OwnStore["loaders"] | undefined; splitter: OwnStore["splitter"] };

/** Reads overrides by the names of the flow's own components. Throws `validation-failed` for those without effect. */
function readOwnOverrides(
  { storesOf, override }: OwnStoreReader,
  { flowData, reference }: OwnUpsert,
  inputs: JsonObject,
): OwnRequest {
  const find = (stores: readonly OwnStore[]) => stores.find((store) => toOwnStoreReference(store) === reference);
  const overridden = override(flowData, inputs);
  const before = find(storesOf(flowData));
  const after = overridden && find(overridden.stores);
  if (overridden === undefined || before === undefined || after === undefined) {
    return { rest: inputs, loaders: undefined, splitter: undefined };
  }
  const unknown = new Set(overridden.unknown);
  if (overridden.idle.length > 0) {
    throw invalidOverrides(overridden.idle, () => "has no effect on the agent's document store. Leave it out");
  }
  if (places.some((place) => !isDeepStrictEqual(before[place], after[place]))) {
    const changed = Object.keys(inputs).filter((name) => !unknown.has(name));
    throw invalidOverrides(changed, () => "belongs to the document store: change it there");
  }
  return {
    rest: Object.fromEntries(Object.entries(inputs).filter(([name]) => unknown.has(name))),
    loaders: isDeepStrictEqual(before.loaders, after.loaders) ? undefined : after.loaders,
    splitter: isDeepStrictEqual(before.splitter, after.splitter) ? undefined : after.splitter,
  };
}

/** Settings shared by all loaders of the store. */
const places = ["embedding", "vectorStore", "recordManager"] as const;

function toItem({ label, loader, splitter }: OwnStore["loaders"][number]): UpsertItem {
  return { loaderName: label, loader, ...(splitter && { splitter }) };
}

/** Explains for each name in `overrideConfig` why it cannot be overridden. */
function invalidOverrides(names: readonly string[], why: (name: string) => string): WeftError {
  const errors = names.map((name) => ({ path: `overrideConfig.${name}`, message: why(name) }));
  const reason = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new WeftError("validation-failed", { params: { reason }, errors });
}
