import type { RunnableAgent } from "@weft/agents";
import type { ChatMessageService, FilePlace, FileService } from "@weft/chats";
import { inNameOf } from "@weft/documents";
import type { CompiledFlow } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { renderTemplate, toText } from "@weft/engine/template";
import { scheduleOf, webhookOf } from "@weft/nodes";
import { type Budgets, type NewRun, shareOf } from "@weft/run-host";
import {
  type Budget,
  type Json,
  type JsonObject,
  type PredictionRequest,
  type RunBudgetFacts,
  type RunUpload,
  readWritePolicy,
  WeftError,
  wrapDocument,
} from "@weft/schema";
import type { Place } from "@weft/workers";
import { assertUnguessable } from "../access/index.ts";
import { type Caller, type OpenAgent, type OpenAgentDeps, openAgent } from "./caller.ts";
import type { Warning } from "./node-overrides.ts";
import { resolveInput } from "./resolve-input.ts";
import { type ReadUpload, readUploads, type UploadDeps } from "./uploads.ts";

export type Message = {
  agentId: string;
  /** Reads the agent, if part of it was already read. Default: by its id. */
  readAgent?(): Promise<RunnableAgent>;
  request: PredictionRequest;
  caller: Caller;
  chatType: "INTERNAL" | "EXTERNAL";
  /** Id of the run, if a repeated request must find it. */
  runId?: string | undefined;
  /** The trigger that sent this message. Flows with a trigger reject client messages unless it is set. */
  trigger?: Trigger;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
  /** It may answer a question of its chat that accepts messages. Default false. */
  mayAnswer?: boolean;
  /** Result of `arrive`. Without it the message arrives when it is admitted. */
  place?: Place | undefined;
};

/** Starts a run in place of a message. */
export type Trigger = {
  /** The request that a webhook received. */
  webhook?: JsonObject;
  /** Values missing from its question. */
  warnings: readonly Warning[];
};

/** Throws `validation-failed` for a message to a flow that a webhook or a schedule starts. */
function assertTakesMessages(flow: CompiledFlow, agentId: string): void {
  if (webhookOf(flow)) refuse(`this agent is started by its webhook: send the request to /webhook/${agentId}`);
  if (scheduleOf(flow)) refuse("this agent is started by its schedule and does not accept messages");
}

export type QuestionFacts = Pick<Trigger, "webhook"> & { vars: JsonObject; clock: WallClock };

/**
 * The question that a trigger asks, rendered with what is known before a run: the request, the variables and the time.
 */
export function renderQuestion(text: string, facts: QuestionFacts): { question: string; warnings: Warning[] } {
  const { webhook = {}, vars, clock } = facts;
  const warnings: Warning[] = [];
  const roots = new Map<string, Json>([
    ["$webhook", webhook],
    ["$vars", vars],
    ["current_date_time", new Date(clock.now()).toISOString()],
  ]);
  const scope = { root: (name: string) => roots.get(name), node: () => undefined };
  const onUnknown = (source: string) =>
    warnings.push({ code: "template-unknown", message: `${source} in the start node's question had no value.` });
  return { question: toText(renderTemplate(text, scope, { onUnknown })), warnings };
}

function refuse(reason: string): never {
  throw new WeftError("validation-failed", { params: { reason } });
}

export type NewRunDeps = OpenAgentDeps &
  UploadDeps & {
    files: FileService;
    messages: ChatMessageService;
    ids: IdSource;
    registry: NodeRegistry;
    budgets: Budgets;
    budgetIn(apiConfig: string): Budget;
  };

/**
 * Reads everything that a message's run needs, and stores its files. Rejects if the message is refused, and with
 * `budget-…` before anything costly is read.
 */
export async function toNewRun(deps: NewRunDeps, message: Message): Promise<NewRun> {
  const { request, caller, chatType, trigger } = message;
  const opened = await openAgent(deps, message);
  const { agent, flow } = opened;
  if (!trigger && chatType === "EXTERNAL") assertTakesMessages(flow, agent.id);
  const isVisitor = caller.isAnonymous === true;
  const mayTake = deps.budgetIn(agent.apiConfig);
  if (isVisitor) assertShortQuestion(request, mayTake.questionCharacters);
  const ids = { runId: message.runId ?? deps.ids.uuid(), chatId: request.chatId ?? deps.ids.uuid() };
  const spender = { agentId: agent.id, ...ids, isVisitor, network: caller.network };
  const { budget, withdraw } = await deps.budgets.admit({ ...spender, sizeBytes: sizeOf(request), mayTake });
  try {
    return { ...(await readNewRun(deps, message, { opened, ...ids, budget })), withdraw };
  } catch (cause) {
    await withdraw();
    throw cause;
  }
}

type Admitted = { opened: OpenAgent; runId: string; chatId: string; budget: RunBudgetFacts | undefined };

async function readNewRun(
  deps: NewRunDeps,
  { request, caller, chatType, trigger }: Message,
  { opened, runId, chatId, budget }: Admitted,
): Promise<NewRun> {
  const { ids, registry } = deps;
  const { agent, versionId, flow: saved, flowData, pins, warnings: ofAgent = [] } = opened;
  const share = shareOf({ agentId: agent.id, owner: caller.owner, network: caller.network });
  const uploads = request.uploads?.length
    ? await readUploads({ ...deps, documents: inNameOf(share, deps.documents) }, agent, request.uploads)
    : [];
  const { input, sessionId, flow, warnings } = resolveInput(
    withSpoken(request, uploads),
    { flow: saved, flowData, apiConfig: agent.apiConfig },
    { registry, caller },
  );
  if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
  const known = sessionId ?? request.chatId;
  const owner = known === undefined ? caller.owner : await ownerOfChat(deps.messages, caller, [agent.id, known]);
  const isVisitor = caller.isAnonymous === true;
  const attached = await attachUploads(deps.files, { agentId: agent.id, chatId, owner }, { uploads, isVisitor });
  const begin = {
    type: "run-started",
    agentId: agent.id,
    agentType: agent.type,
    flowVersionId: versionId,
    chatId,
    sessionId: sessionId ?? chatId,
    chatType,
    owner: caller.owner,
    ...(owner === caller.owner ? {} : { chatOwner: owner }),
    userMessageId: ids.uuid(),
    apiMessageId: ids.uuid(),
    input: {
      ...input,
      ...attached,
      ...(pins && Object.keys(pins).length > 0 && { pins }),
      ...(trigger?.webhook && { webhook: trigger.webhook }),
      ...(caller.isAnonymous && { visitorWrites: readWritePolicy(agent.apiConfig) }),
    },
    depth: 0,
    ...(caller.trace && { trace: caller.trace }),
    ...(budget && { budget }),
  } as const;
  const isFirst = known === undefined;
  return { runId, begin, share, flow, isFirst, warnings: [...ofAgent, ...warnings, ...(trigger?.warnings ?? [])] };
}

/** Throws `limit-exceeded`. */
function assertShortQuestion({ question = "" }: PredictionRequest, limit: number): void {
  if (question.length <= limit) return;
  const where = "question";
  throw new WeftError("limit-exceeded", {
    params: { where, limit, what: "characters, the most that visitors may send to this agent" },
    errors: [{ path: where, message: `must have at most ${limit} characters` }],
  });
}

/** Size of a message's stored parts: its text, and its files, which are longer in transit than at rest. */
function sizeOf({ uploads = [], ...words }: PredictionRequest): number {
  const lengths = uploads.map(({ data = "" }) => Math.ceil((data.length * 3) / 4));
  return lengths.reduce((sum, length) => sum + length, Buffer.byteLength(JSON.stringify(words)));
}

/** The owner of the session that a message continues: the caller, or another owner whose session is open to it. */
async function ownerOfChat(
  messages: ChatMessageService,
  { owner, adopts }: Caller,
  [agentId, sessionId]: readonly [string, string],
): Promise<string> {
  if (adopts.length === 0) return owner;
  return (await messages.firstOwner({ agentId, sessionId }, [owner, ...adopts])) ?? owner;
}

/** The request with the transcript of its recordings as its question. */
function withSpoken(request: PredictionRequest, uploads: readonly ReadUpload[]): PredictionRequest {
  const spoken = uploads.flatMap((upload) => upload.spoken ?? []);
  return spoken.length === 0 ? request : { ...request, question: spoken.join("\n") };
}

/**
 * Stores the files in the chat and returns their description in the run's input. Rejects with `not-found` if the agent
 * is gone.
 */
async function attachUploads(
  files: FileService,
  place: FilePlace,
  { uploads, isVisitor }: { uploads: readonly ReadUpload[]; isVisitor: boolean },
) {
  if (uploads.length === 0) return {};
  const stored = await files.store(
    place,
    uploads.flatMap(({ file }) => file ?? []),
    { isVisitor },
  );
  const shown = uploads.map(({ shown, file, text }): RunUpload => {
    if (file !== undefined) return { ...shown, sizeBytes: file.bytes.length, ...idOf(stored.shift()) };
    return text === undefined ? shown : { ...shown, sizeBytes: Buffer.byteLength(text) };
  });
  const texts = uploads.flatMap(({ shown, text }) =>
    text === undefined ? [] : wrapDocument({ name: shown.name, text }),
  );
  return { uploads: shown, ...(texts.length > 0 && { fileAttachment: texts.join("\n\n") }) };
}

function idOf(stored: { id: string } | undefined) {
  return stored === undefined ? {} : { fileId: stored.id };
}
