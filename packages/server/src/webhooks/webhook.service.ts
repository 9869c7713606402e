import type { RunnableAgent } from "@weft/agents";
import type { WallClock } from "@weft/engine/ports/clock";
import { ifFound } from "@weft/http";
import { clientOwner, noOwner } from "@weft/http/identity";
import { type WebhookSettings, webhookOf } from "@weft/nodes";
import { type PredictionResult, predictionRequestSchema, type WebhookAccepted, WeftError } from "@weft/schema";
import { z } from "zod";
import { assertUnguessable } from "../access/index.ts";
import type { Needs } from "../feature.ts";
import { type Caller, type Message, renderQuestion } from "../predictions/index.ts";
import type { CallbackSender } from "./callback-sender.ts";
import type { Deliveries, Handling } from "./deliveries.ts";
import {
  assertAuthentic,
  assertComplete,
  fieldsOf,
  type Proven,
  readPayload,
  type WebhookPayload,
  type WebhookRequest,
} from "./webhook-request.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

type WebhookServiceDeps = Needs<"predictions" | "runHost" | "runnables" | "variables"> & {
  clock: WallClock;
  secrets: WebhookSecrets;
  callbacks: CallbackSender;
  deliveries: Deliveries;
};

/** A request to an agent's webhook, before any of it is trusted. */
export type WebhookCall = WebhookRequest & {
  agentId: string;
  /** The agent's settings, if they were just read. */
  known?: RunnableAgent["agent"] | undefined;
  readBytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The sender as far as the request shows without proof: with its API keys, for an agent that is bound to one. */
  caller: Caller;
};

/**
 * Requests from elsewhere that start runs.
 * - W1 Nothing of a request is parsed or kept before it has proved who sends it, as the flow says.
 * - W2 A request that its sender names is run once, across processes; one whose name is signed is never run again.
 */
export type WebhookService = {
  create: WebhookSecrets["create"];
  describe: WebhookSecrets["describe"];
  remove: WebhookSecrets["remove"];
  /**
   * Resolves with the answer of the run, with its stream, or at once, as the flow says. Rejects with `not-found`,
   * `method-not-allowed`, `webhook-unauthenticated`, `media-type-unsupported`, `parameters-invalid`, and like
   * predictions.
   */
  receive(call: WebhookCall): Promise<Answer>;
};

/** Fields that continue a chat, if the body has them. Bodies may use the names for other things. */
const { chatId, humanInput, executionId, action } = predictionRequestSchema.shape;
const continuationSchema = z.object({
  chatId: chatId.catch(undefined),
  humanInput: humanInput.catch(undefined),
  executionId: executionId.catch(undefined),
  action: action.catch(undefined),
});
type Continuation = z.infer<typeof continuationSchema>;

/** A request with a proven sender. */
type Authentic = {
  call: WebhookCall;
  agent: RunnableAgent;
  settings: WebhookSettings;
  payload: WebhookPayload;
  caller: Caller;
};

export function createWebhookService(deps: WebhookServiceDeps): WebhookService {
  const { secrets, deliveries } = deps;
  return {
    create: secrets.create,
    describe: secrets.describe,
    remove: secrets.remove,
    async receive(call) {
      const { agent, settings } = await open(deps, call);
      assertMethod(call, settings);
      const bytes = await call.readBytes();
      const { signedId } = await authenticate(deps, call, { settings, bytes });
      const payload = await readPayload(call, bytes, settings);
      const continuation = continuationSchema.parse(fieldsOf(payload.body) ?? {});
      const isAnonymous = settings.auth.type === "none";
      if (isAnonymous) assertUnguessable("chatId", continuation.chatId);
      const caller = isAnonymous ? call.caller : { ...senderOf(call.agentId), apiKeys: call.caller.apiKeys };
      const authentic = { call, agent, settings, payload, caller };
      const delivery = { ...call, signedId };
      if (continuation.humanInput) {
        const answer = () => resume(deps, authentic, continuation);
        return deliveries.answerOnce(delivery, bytes, { answer, ...answers });
      }
      assertComplete(payload, settings.validation);
      return deliveries.once(delivery, bytes, toHandling(deps, authentic, continuation.chatId));
    },
  };
}

/** Rejects with `not-found` for an agent that does not exist, or has no webhook. */
async function open(deps: WebhookServiceDeps, { agentId, known }: WebhookCall) {
  const agent = await ifFound(known ? deps.runnables.toRunnable(known) : deps.runnables.getForRun(agentId));
  const settings = agent && webhookOf(deps.runnables.compile(agent.versionId, agent.flowData));
  if (!settings) throw new WeftError("not-found", { params: { resource: "webhook", id: agentId } });
  return { agent, settings };
}

async function authenticate(
  { secrets, clock }: WebhookServiceDeps,
  { agentId, headers }: WebhookCall,
  { settings: { auth }, bytes }: { settings: WebhookSettings; bytes: Uint8Array<ArrayBuffer> },
): Promise<Proven> {
  if (auth.type === "none") return { signedId: undefined };
  const known = await secrets.read(agentId, auth.credential);
  if (known.length > 0) return assertAuthentic({ auth, headers, bytes, secrets: known, now: clock.now() });
  const reason = `its webhook has no secret yet. Create one with POST /api/v1/chatflows/${agentId}/webhook-secret.`;
  throw new WeftError("flow-invalid", { params: { reason } });
}

/** The chat of a new conversation is named after its first run, so that a repetition names the same one. */
function toHandling(deps: WebhookServiceDeps, authentic: Authentic, chatId: string | undefined): Handling<Answer> {
  const { predictions } = deps;
  const { executions } = deps.runHost;
  const { settings, caller } = authentic;
  const hasBegun = async (runId: string) => (await executions.find(runId)) !== undefined;
  if (settings.response !== "async") {
    const streaming = settings.response === "stream";
    return {
      hasBegun,
      start: async (runId) => predictions.predict(await toMessage(deps, authentic, { runId, chatId })),
      recall: (runId) => predictions.recall(runId, { request: { streaming }, caller }),
    };
  }
  return {
    hasBegun,
    async start(runId) {
      await admitWithCallback(deps, await toMessage(deps, authentic, { runId, chatId }), settings);
      return toAccepted(chatId ?? runId, runId);
    },
    recall: async (runId) => (await executions.find(runId)) && toAccepted(chatId ?? runId, runId),
  };
}

async function toMessage(
  { variables, clock }: WebhookServiceDeps,
  { call, agent, settings, payload, caller }: Authentic,
  { runId, chatId = runId }: { runId: string; chatId: string | undefined },
) {
  const facts = { webhook: payload, vars: await variables.all(), clock };
  const { question, warnings } = renderQuestion(settings.question, facts);
  return {
    agentId: call.agentId,
    readAgent: async () => agent,
    request: { question, chatId, streaming: settings.response === "stream" },
    caller,
    chatType: "EXTERNAL",
    runId,
    trigger: { webhook: payload, warnings },
  } as const;
}

async function admitWithCallback(
  deps: WebhookServiceDeps,
  message: Message & { runId: string },
  { callbackUrl: url, callbackCredential, auth }: WebhookSettings,
): Promise<void> {
  const { runId, agentId } = message;
  if (url === undefined) return void (await deps.predictions.admit(message));
  const credential = callbackCredential ?? (auth.type === "none" ? undefined : auth.credential);
  await deps.callbacks.expect({ runId, agentId, url, credential });
  try {
    await deps.predictions.admit(message);
  } catch (cause) {
    if (cause instanceof WeftError) await deps.callbacks.forget(runId);
    throw cause;
  }
}

/** The first sender learns by callback how the run ends; the sender of an answer, that it was accepted. */
async function resume(
  { predictions }: WebhookServiceDeps,
  { call, agent, settings, caller }: Authentic,
  continuation: Continuation,
): Promise<Answer> {
  const streaming = settings.response !== "sync";
  const request = { ...continuation, streaming };
  const answer = await predictions.predict({
    agentId: call.agentId,
    readAgent: async () => agent,
    request,
    caller,
    chatType: "EXTERNAL",
  });
  if (settings.response !== "async" || !(answer instanceof Response)) return answer;
  await answer.body?.cancel();
  return toAccepted(continuation.chatId ?? "", continuation.executionId);
}

type Answer = PredictionResult | Response;

/** A stream cannot be stored. */
const answers = {
  async keep(answer: Answer): Promise<string | undefined> {
    if (!(answer instanceof Response)) return JSON.stringify({ status: 200, body: answer });
    if (!answer.headers.get("content-type")?.startsWith("application/json")) return undefined;
    return JSON.stringify({ status: answer.status, body: await answer.clone().json() });
  },
  restore(kept: string): Answer {
    const { status, body } = JSON.parse(kept) as { status: number; body: PredictionResult };
    return status === 200 ? body : Response.json(body, { status });
  },
};

/** A sender that knows the secret of an agent's webhook. */
function senderOf(agentId: string): Omit<Caller, "apiKeys"> {
  const owner = clientOwner(`webhook:${agentId}`);
  return { owner, name: "webhook", adopts: [noOwner], reach: { owners: [owner, noOwner], agents: "all" } };
}

/** HEAD is never accepted: it must not change anything. */
function assertMethod({ method, url }: WebhookCall, { method: expected }: WebhookSettings): void {
  if (method !== "HEAD" && (expected === "any" || method === expected)) return;
  const allowed = expected === "any" ? "DELETE, GET, PATCH, POST, PUT" : expected;
  throw new WeftError("method-not-allowed", { params: { method, path: url.pathname, allowed } });
}

function toAccepted(chatId: string, executionId: string | undefined): Response {
  const accepted: WebhookAccepted = { chatId, executionId, status: "PROCESSING" };
  return Response.json(accepted, { status: 202 });
}
