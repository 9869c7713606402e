import type { Clock, CompiledFlow } from "@weft/engine";
import { assertUnguessable, clientOwner, ifFound, noOwner } from "@weft/http";
import { type WebhookBodyType, type WebhookSettings, webhookOf } from "@weft/nodes";
import type { ExecutionService } from "@weft/run-host";
import {
  type ErrorItem,
  type Json,
  type JsonObject,
  type PredictionResult,
  predictionRequestSchema,
  type WebhookAccepted,
  WeftError,
} from "@weft/schema";
import { z } from "zod";
import type { RunnableAgent } from "../agents/index.ts";
import { type Ask, beginOnce, type Caller, type PredictionService, renderQuestion } from "../predictions/index.ts";
import { assertAuthentic, type Proven } from "./assert-authentic.ts";
import type { CallbackSender } from "./callback-sender.ts";
import type { Deliveries, Handling } from "./deliveries.ts";
import { fieldsOf, readPayload, type WebhookPayload, type WebhookRequest } from "./read-payload.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export type WebhookServiceDeps = {
  clock: Pick<Clock, "now">;
  predictions: PredictionService;
  executions: Pick<ExecutionService, "find">;
  variables: { all(): Promise<JsonObject> };
  secrets: WebhookSecrets;
  callbacks: Pick<CallbackSender, "expect" | "forget">;
  deliveries: Deliveries;
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** A request to an agent's webhook, before anything of it is believed. */
export type WebhookCall = WebhookRequest & {
  agentId: string;
  readBytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Who sends it as far as it shows without a proof: with the API keys that it carries, for an agent that is bound to one. */
  caller: Caller;
};

/**
 * Requests from elsewhere that start runs.
 * - W1 Nothing of a request is parsed or kept before it has proved who sends it, as the flow says.
 * - W2 A request that its sender names is run once, across processes; one whose name is signed is never run again.
 */
export type WebhookService = Pick<WebhookSecrets, "create" | "remove"> & {
  /**
   * Resolves with the answer of the run, with its stream, or at once, as the flow says. Rejects with `not-found`,
   * `method-not-allowed`, `webhook-unauthenticated`, `media-type-unsupported`, `parameters-invalid`, and as predictions.
   */
  receive(call: WebhookCall): Promise<PredictionResult | Response>;
};

/** What continues a chat, where the body says it. Bodies may use the names for other things. */
const { chatId, humanInput, executionId, action } = predictionRequestSchema.shape;
const continuationSchema = z.object({
  chatId: chatId.catch(undefined),
  humanInput: humanInput.catch(undefined),
  executionId: executionId.catch(undefined),
  action: action.catch(undefined),
});
type Continuation = z.infer<typeof continuationSchema>;

/** A request that has proved who sends it. */
type Authentic = { call: WebhookCall; settings: WebhookSettings; payload: WebhookPayload; caller: Caller };

export function createWebhookService(deps: WebhookServiceDeps): WebhookService {
  const { clock, predictions, executions, variables, secrets, callbacks, deliveries } = deps;

  async function open(agentId: string): Promise<WebhookSettings> {
    const found = await ifFound(deps.getForRun(agentId));
    const settings = found && webhookOf(deps.compile(found.versionId, found.flowData));
    if (!settings) throw new WeftError("not-found", { params: { resource: "webhook", id: agentId } });
    return settings;
  }

  async function authenticate(
    { agentId, headers }: WebhookCall,
    { auth }: WebhookSettings,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Proven> {
    if (auth.type === "none") return { signedId: undefined };
    const known = await secrets.read(agentId, auth.credential);
    if (known.length > 0) return assertAuthentic({ auth, headers, bytes, secrets: known, now: clock.now() });
    const reason = `its webhook has no secret yet. Create one with POST /api/v1/chatflows/${agentId}/webhook-secret.`;
    throw new WeftError("flow-invalid", { params: { reason } });
  }

  async function toAsk({ call, settings, payload, caller }: Authentic, newId: string, chatId = newId) {
    const facts = { webhook: payload, vars: await variables.all(), clock };
    const { question, warnings } = renderQuestion(settings.question, facts);
    return {
      agentId: call.agentId,
      request: { question, chatId, streaming: settings.response === "stream" },
      caller,
      chatType: "EXTERNAL",
      newId,
      trigger: { webhook: payload, warnings },
    } as const;
  }

  async function beginWithCallback(ask: Ask & { newId: string }, settings: WebhookSettings): Promise<void> {
    const { callbackUrl: url, callbackCredential, auth } = settings;
    if (url === undefined) return beginOnce(deps, ask);
    const credential = callbackCredential ?? (auth.type === "none" ? undefined : auth.credential);
    await callbacks.expect({ runId: ask.newId, agentId: ask.agentId, url, credential });
    try {
      await beginOnce(deps, ask);
    } catch (cause) {
      if (cause instanceof WeftError) await callbacks.forget(ask.newId);
      throw cause;
    }
  }

  /** The chat of a new conversation is named after its first run, so that a repetition names the same one. */
  function toHandling(authentic: Authentic, chatId: string | undefined): Handling<PredictionResult | Response> {
    const { settings, caller } = authentic;
    const hasBegun = async (runId: string) => (await executions.find(runId)) !== undefined;
    if (settings.response !== "async") {
      const streaming = settings.response === "stream";
      return {
        hasBegun,
        start: async (runId) => predictions.ask(await toAsk(authentic, runId, chatId)),
        recall: (runId) => predictions.recall(runId, { request: { streaming }, caller }),
      };
    }
    return {
      hasBegun,
      async start(runId) {
        await beginWithCallback(await toAsk(authentic, runId, chatId), settings);
        return toAccepted(chatId ?? runId, runId);
      },
      recall: async (runId) => (await executions.find(runId)) && toAccepted(chatId ?? runId, runId),
    };
  }

  /** Whoever asked first hears by the callback how the run ends; who answers it, that the answer was taken. */
  async function resume({ call, settings, caller }: Authentic, continuation: Continuation) {
    const streaming = settings.response !== "sync";
    const request = { ...continuation, streaming };
    const answer = await predictions.ask({
      agentId: call.agentId,
      request,
      caller,
      chatType: "EXTERNAL",
      newId: undefined,
    });
    if (settings.response !== "async" || !(answer instanceof Response)) return answer;
    await answer.body?.cancel();
    return toAccepted(continuation.chatId ?? "", continuation.executionId);
  }

  return {
    create: secrets.create,
    remove: secrets.remove,
    async receive(call) {
      const settings = await open(call.agentId);
      assertMethod(call, settings);
      const bytes = await call.readBytes();
      const { signedId } = await authenticate(call, settings, bytes);
      const payload = await readPayload(call, bytes, settings);
      const continuation = continuationSchema.parse(fieldsOf(payload.body) ?? {});
      const isAnonymous = settings.auth.type === "none";
      if (isAnonymous) assertUnguessable("chatId", continuation.chatId);
      const caller = isAnonymous ? call.caller : { ...senderOf(call.agentId), apiKeys: call.caller.apiKeys };
      const authentic = { call, settings, payload, caller };
      const delivery = { ...call, signedId };
      if (continuation.humanInput) {
        return deliveries.answerOnce(delivery, bytes, { answer: () => resume(authentic, continuation), ...answers });
      }
      assertComplete(payload, settings.validation);
      return deliveries.once(delivery, bytes, toHandling(authentic, continuation.chatId));
    },
  };
}

type Answer = PredictionResult | Response;

/** A stream cannot be kept. */
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

/** HEAD is never taken: it must not change anything. */
function assertMethod({ method, url }: WebhookCall, { method: expected }: WebhookSettings): void {
  if (method !== "HEAD" && (expected === "any" || method === expected)) return;
  const allowed = expected === "any" ? "DELETE, GET, PATCH, POST, PUT" : expected;
  throw new WeftError("method-not-allowed", { params: { method, path: url.pathname, allowed } });
}

function toAccepted(chatId: string, executionId: string | undefined): Response {
  const accepted: WebhookAccepted = { chatId, executionId, status: "PROCESSING" };
  return Response.json(accepted, { status: 202 });
}

/** Throws `parameters-invalid` that names every parameter that is missing or of another type. */
function assertComplete({ query, headers, body }: WebhookPayload, expected: WebhookSettings["validation"]): void {
  const fields = fieldsOf(body) ?? {};
  const errors = [
    ...expected.headers.flatMap(({ name, required }) =>
      findMissing(headers, name.toLowerCase(), { required, in: "headers" }),
    ),
    ...expected.query.flatMap(({ name, required }) => findMissing(query, name, { required, in: "query" })),
    ...expected.body.flatMap(({ name, type, required }) => {
      const missing = findMissing(fields, name, { required, in: "body" });
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const fits = missing.length > 0 || value === undefined || value === null || isOfType(value, type);
      return fits ? missing : [{ path: `body.${name}`, message: `must be ${words[type]}` }];
    }),
  ];
  if (errors.length === 0) return;
  const reason = `The request is invalid: ${errors.map(({ path, message }) => `${path} ${message}`).join("; ")}.`;
  throw new WeftError("parameters-invalid", { params: { reason }, errors });
}

type Place = { required: boolean; in: "headers" | "query" | "body" };

function findMissing(values: JsonObject, name: string, place: Place): ErrorItem[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const isMissing = place.required && (value === undefined || value === null || value === "");
  return isMissing ? [{ path: `${place.in}.${name}`, message: "is required" }] : [];
}

const words: Record<WebhookBodyType, string> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  "array[string]": "a list of texts",
  "array[number]": "a list of numbers",
  "array[boolean]": "a list of true and false",
  "array[object]": "a list of objects",
};

function isOfType(value: Json, type: WebhookBodyType): boolean {
  const item = /^array\[(\w+)\]$/.exec(type)?.[1];
  if (item !== undefined) return Array.isArray(value) && value.every((one) => isOfType(one, item as WebhookBodyType));
  return type === "object" ? fieldsOf(value) !== undefined : typeof value === type;
}
