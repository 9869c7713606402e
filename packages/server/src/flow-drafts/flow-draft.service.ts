import type { ChatModel, ModelMessage } from "@weft/engine/ports/chat-model";
import { type Identity, isGranted, ownerOf, type Permission } from "@weft/http/identity";
import { integrations } from "@weft/integrations";
import {
  type FlowDocument,
  type FlowDraft,
  type FlowDraftRequest,
  type FlowEdit,
  type Usage,
  WeftError,
} from "@weft/schema";
import { createPlaces } from "@weft/workers";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { openSecretStripper } from "../transfer/index.ts";
import { createDraftTools, type DraftTools, type ThingKind, type Things } from "./draft-tools.ts";
import { createFlowEdits } from "./flow-edits.ts";
import { toGuide } from "./guide.ts";

/** Drafts flows from descriptions with a chat model. */
export type FlowDraftService = {
  /**
   * Finds the model and reads the flow to change. Rejects with `flow-drafts-off`, `flow-drafts-at-capacity`, with
   * `validation-failed` for a flow that cannot be read, and with `model-not-configured`.
   */
  begin(request: FlowDraftRequest, identity: Identity): Promise<BegunDraft>;
};

export type BegunDraft = {
  /**
   * Lets the model draft, once. Nothing is stored. Rejects with `flow-draft-unfinished`, and with `model-…` if the model
   * fails.
   */
  write(onEdit: (edit: FlowEdit) => void, signal: AbortSignal): Promise<FlowDraft>;
};

type DraftNeeds = Needs<
  | "agentReader"
  | "commandServers"
  | "credentials"
  | "defaultModel"
  | "documentStores"
  | "flows"
  | "nodeServices"
  | "tools"
  | "variables"
>;

/** Model calls of one draft. */
const mostRounds = 40;
const mostCallsARound = 40;
const longestMs = 300_000;
/** Drafts under way in a process. */
const places = 8;

export function createFlowDraftService(context: Context, needs: DraftNeeds): FlowDraftService {
  const { config, database, ids, nodeTypes } = context;
  const { flows, nodeServices, defaultModel } = needs;
  const open = createPlaces({ total: places });
  const guide = toGuide(nodeTypes, integrations);

  async function resolveModel(choice: FlowDraftRequest["model"]): Promise<ChatModel> {
    if (config.flowDraftTokens === 0) throw off("the operator switched it off with FLOW_DRAFT_TOKENS=0");
    const provider = choice?.provider ?? (await defaultModel.findProvider());
    if (provider === "rehearsal") throw off("no model is connected, and the rehearsal model is rules, not an AI");
    return nodeServices.models.resolve(choice ?? {});
  }

  /** Rejects with `validation-failed` for one without steps. */
  async function readFlow(flowData: string): Promise<FlowDocument> {
    const { flow, findings } = await flows.read(flowData);
    if (flow.nodes.length > 0) return flow;
    const message = findings[0]?.message ?? "It has no steps.";
    throw new WeftError("validation-failed", { params: { reason: message }, errors: [{ path: "flowData", message }] });
  }

  async function write(
    { request, evidence, model, flow, isNew }: Task,
    { things, onEdit, signal }: { things: Things; onEdit(edit: FlowEdit): void; signal: AbortSignal },
  ): Promise<FlowDraft> {
    const strip = await openSecretStripper(database.read, config);
    const edits = createFlowEdits(nodeTypes, flow);
    const check = async () => {
      const findings = await flows.check(JSON.stringify(edits.flow()));
      return findings.map((finding) => ({ ...finding, message: strip.text(finding.message) }));
    };
    const tools = createDraftTools({ edits, nodeTypes, integrations, things, check, onEdit });
    const quote = quoting(ids.uuid());
    const parts = [
      `The request: ${strip.text(request)}`,
      isNew
        ? "The draft has only its start step, with the id start."
        : quote("The present flow", JSON.stringify(strip.value(toShown(flow)))),
      ...(evidence === undefined ? [] : [quote("What happened when it ran", strip.text(evidence))]),
    ];
    const messages: ModelMessage[] = [
      { role: "system", content: guide },
      { role: "user", content: parts.join("\n\n") },
    ];
    const usage = await converse({ model, messages, tools, signal, mostTokens: config.flowDraftTokens });
    const { name, summary, open: choices } = tools.finished() ?? { name: "", summary: lastText(messages), open: [] };
    return { name, summary, open: [...choices], flow: edits.flow(), findings: await check(), usage, model: model.id };
  }

  return {
    async begin({ flowData, model: choice, ...asked }, identity) {
      const model = await resolveModel(choice);
      const flow = flowData === undefined ? blank : await readFlow(flowData);
      const share = { name: ownerOf(identity), isAnonymous: false };
      if (!open.take(share)) throw new WeftError("flow-drafts-at-capacity", { params: { retryAfterSeconds: 10 } });
      return {
        async write(onEdit, leaving) {
          const timeout = AbortSignal.timeout(longestMs);
          const signal = AbortSignal.any([leaving, timeout]);
          try {
            const task = { ...asked, model, flow, isNew: flowData === undefined };
            return await write(task, { things: thingsOf(needs, identity), onEdit, signal });
          } catch (cause) {
            leaving.throwIfAborted();
            if (timeout.aborted) throw unfinished(`it took more than ${longestMs / 60_000} minutes`);
            throw cause;
          } finally {
            open.give(share);
          }
        },
      };
    },
  };
}

type Task = Pick<FlowDraftRequest, "request" | "evidence"> & { model: ChatModel; flow: FlowDocument; isNew: boolean };

/** The parts of a flow that say what it does. */
function toShown({ nodes, edges }: FlowDocument) {
  const steps = nodes.map(({ id, type, label, parent, config }) => ({
    ...{ id, type, label, config },
    ...(parent !== undefined && { parent }),
  }));
  return { steps, edges: edges.map(({ source, sourcePort, target }) => ({ source, sourcePort, target })) };
}

/** Text of others between two lines that it cannot contain. */
function quoting(mark: string) {
  return (title: string, text: string) =>
    `${title}, between two lines ${mark}:\n${mark}\n${text.replaceAll(mark, "")}\n${mark}`;
}

function off(reason: string): WeftError {
  return new WeftError("flow-drafts-off", { params: { reason } });
}

const blank: FlowDocument = {
  weft: 1,
  nodes: [{ id: "start", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} }],
  edges: [],
};

type Conversation = {
  model: ChatModel;
  /** Grows with what is said. */
  messages: ModelMessage[];
  tools: DraftTools;
  signal: AbortSignal;
  mostTokens: number;
};

/** Lets the model work until it says that it is done. Resolves with what it used. */
async function converse({ model, messages, tools, signal, mostTokens }: Conversation) {
  const used = { inputTokens: 0, outputTokens: 0, calls: 0 };
  while (tools.finished() === undefined) {
    if (used.calls === mostRounds) throw unfinished(`it made ${mostRounds} calls of the model`);
    if (used.inputTokens + used.outputTokens >= mostTokens) throw unfinished(`it used ${mostTokens} tokens`);
    const { text, toolCalls, usage } = await model.answer({ messages, tools: tools.offered, signal });
    count(used, usage);
    messages.push({ role: "assistant", content: text, ...(toolCalls.length > 0 && { toolCalls }) });
    // A model that writes instead of calling has said what it has to say.
    if (toolCalls.length === 0) break;
    for (const [index, call] of toolCalls.entries()) {
      const answer = index < mostCallsARound ? await tools.call(call) : tooMany;
      messages.push({ role: "tool", toolCallId: call.id, toolName: call.name, ...answer });
      signal.throwIfAborted();
    }
  }
  return used;
}

const tooMany = { content: `Not done: at most ${mostCallsARound} calls in one answer. Make it again.`, isError: true };

function count(used: { inputTokens: number; outputTokens: number; calls: number }, usage: Usage): void {
  used.calls += 1;
  used.inputTokens += usage.inputTokens;
  used.outputTokens += usage.outputTokens;
}

function unfinished(reason: string): WeftError {
  return new WeftError("flow-draft-unfinished", { params: { reason } });
}

const mostSummaryCharacters = 2_000;

function lastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  return typeof last?.content === "string" ? last.content.slice(0, mostSummaryCharacters) : "";
}

const mostThings = 100;
const page = { page: 1, limit: mostThings };

/** What the caller may see of the installation: names, ids and kinds, never values. */
function thingsOf(needs: DraftNeeds, { grants }: Identity): Things {
  const { agentReader, commandServers, credentials, documentStores, tools, variables } = needs;
  const lists: Record<ThingKind, { permission: Permission; list(): Promise<readonly Thing[]> }> = {
    agent: { permission: "agents:read", list: () => agentReader.listSettings() },
    credential: { permission: "credentials:read", list: async () => rowsOf(await credentials.list(page)) },
    "document-store": {
      permission: "document-stores:read",
      list: async () => rowsOf(await documentStores.stores.list(page)),
    },
    "custom-tool": { permission: "tools:read", list: async () => rowsOf(await tools.list(page)) },
    variable: {
      permission: "variables:read",
      list: async () => Object.keys(await variables.all()).map((name) => ({ id: name, name })),
    },
    "mcp-server": {
      permission: "agents:read",
      list: async () => commandServers.names.map((name) => ({ id: name, name })),
    },
  };
  const entries = Object.entries(lists).map(([kind, { permission, list }]) => [
    kind,
    async () => (isGranted(grants, permission) ? (await list()).slice(0, mostThings).map(toThing) : []),
  ]);
  return Object.fromEntries(entries) as Things;
}

type Thing = { id: string; name: string; credentialName?: string };

function toThing({ id, name, credentialName }: Thing): Thing & { type?: string } {
  return { id, name: name.slice(0, 200), ...(credentialName !== undefined && { type: credentialName }) };
}

function rowsOf<Row>(list: Row[] | { data: Row[] }): Row[] {
  return Array.isArray(list) ? list : list.data;
}
