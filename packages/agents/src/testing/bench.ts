import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "@weft/database";
import { upsertHistoryRoutes } from "@weft/document-stores";
import { createSecretVault } from "@weft/egress";
import type { Clock } from "@weft/engine/ports/clock";
import { createHttpApp, createIdempotencyStore, createMemoryLimits, type HttpApp } from "@weft/http";
import { allGrants, type Grant, type Identity } from "@weft/http/identity";
import { createLogger } from "@weft/http/logger";
import type { UsedTool } from "@weft/schema";
import { chatMessageRoutes } from "../../../chats/src/chat-messages/chat-message.routes.ts";
import { createChatMessageService } from "../../../chats/src/chat-messages/chat-message.service.ts";
import type { ChatTurn } from "../../../chats/src/chat-messages/run-projection.ts";
import { feedbackRoutes } from "../../../chats/src/feedback/feedback.routes.ts";
import { createFeedbackService } from "../../../chats/src/feedback/feedback.service.ts";
import { leadRoutes } from "../../../chats/src/leads/lead.routes.ts";
import { createLeadService } from "../../../chats/src/leads/lead.service.ts";
import {
  createUpsertHistoryService,
  type Upserted,
} from "../../../document-stores/src/upserts/upsert-history.service.ts";
import { createAuthenticator, createIdentityCache } from "../../../identity/src/accounts/authenticator.ts";
import { createPasswordGate } from "../../../identity/src/accounts/password-gate.ts";
import { createTokens, operatorSubject } from "../../../identity/src/accounts/tokens.ts";
import { createApiKeyService } from "../../../identity/src/api-keys/api-key.service.ts";
import { createCredentialService } from "../../../server/src/credentials/credential.service.ts";
import { credentialRoutes } from "../../../server/src/credentials/feature.ts";
import { createSecretBox } from "../../../server/src/credentials/secret-box.ts";
import { agentRoutes } from "../agents/agent.routes.ts";
import { type AgentEvents, createAgentService } from "../agents/agent.service.ts";
import { createAgentReader } from "../agents/agent-reader.ts";
import { draftRoutes } from "../agents/draft.routes.ts";
import { createDraftService } from "../agents/draft.service.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An answer, read. `body` is its JSON, whatever that is. */
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
  body: any;
};

export type TurnFacts = Partial<Omit<ChatTurn, "user" | "api">> & { question?: string; usedTools?: UsedTool[] };

const wallClock = { now: () => Date.now() };
const ids = { uuid: () => randomUUID() };
const logger = createLogger({ level: "silent", write: () => {}, now: wallClock.now });
const operator: Identity = { kind: "operator", tokenId: "t", expiresAtMs: 0, grants: allGrants };

/** Agents, what belongs to them, and credentials behind the HTTP application, as the server puts them together. */
export function createResourceApi(database: Database, clock: Pick<Clock, "now"> = wallClock) {
  const cache = createIdentityCache(clock);
  const key = randomBytes(32);
  const tokens = createTokens({ key: () => key, ttlMs: 60_000, clock, ids });
  const passwords = createPasswordGate(createMemoryLimits(clock));
  const context = { database, clock, ids, logger, tokens, cache, passwords };
  const apiKeys = createApiKeyService(context, async () => true);
  const messages = createChatMessageService({ database, clock });
  const history = createUpsertHistoryService({ database, clock, ids });
  const app = createHttpApp({
    routes: createRoutes(database, { clock, messages, history, findApiKey: apiKeys.find }),
    idempotency: createIdempotencyStore(database, clock),
    authenticate: createAuthenticator({ database, tokens, cache, identifyApiKey: apiKeys.identify }),
    bodyLimitBytes: 50 * 1024 * 1024,
    logger,
    ids,
    clock,
  });

  /** `agents`: ids of those that the key is limited to; default: none, it is for all. */
  async function authorizationOf(
    grants: readonly Grant[] | undefined,
    agents: string[] = [],
  ): Promise<Record<string, string>> {
    if (grants === undefined) return {};
    const { apiKey } = await apiKeys.create(
      { keyName: "test", permissions: [...grants, "chats:all"], agents },
      operator,
    );
    return { Authorization: `Bearer ${apiKey}` };
  }

  /** Sends a text as it is, with the operator's token. */
  async function send(method: Method, path: string, text?: string, headers?: Record<string, string>): Promise<Answer> {
    const { token } = await tokens.issue(operatorSubject);
    return exchange(app, { method, path, text, headers: { Authorization: `Bearer ${token}`, ...headers } });
  }

  return {
    app,
    authorizationOf,
    recordUpsert: (upserted: Upserted) => database.write((tx) => history.record(tx, upserted)),
    apiKeys: {
      create: (keyName: string) => apiKeys.create({ keyName, permissions: ["predictions:run"], agents: [] }, operator),
    },
    send,
    call: (method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body), headers),
    /** With an API key that has these grants; undefined: without credentials. */
    async callAs(grants: readonly Grant[] | undefined, method: Method, path: string, body?: unknown): Promise<Answer> {
      const text = body === undefined || method === "GET" ? undefined : JSON.stringify(body);
      return exchange(app, { method, path, text, headers: await authorizationOf(grants) });
    },
    /** Stores a question and its answer, which is the question with an exclamation mark. Resolves with the answer's id. */
    async recordTurn({ question = "Hi", usedTools = [], ...facts }: TurnFacts & { agentId: string }): Promise<string> {
      const api = { id: randomUUID(), content: `${question}!`, usedTools };
      const turn: ChatTurn = {
        owner: "",
        chatId: "chat",
        sessionId: "session",
        chatType: "EXTERNAL",
        askedAt: clock.now(),
        user: { id: randomUUID(), content: question },
        api,
        ...facts,
      };
      await database.write((tx) => tx.executeQuery(messages.turnStatement(turn)));
      return api.id;
    },
  };
}

/** The moment at which the clock of `createAgents` stands. */
export const noon = Date.parse("2026-01-01T12:00:00.000Z");

/** The services of agents alone, on a clock that the test moves. */
export function createAgents(database: Database, agentDeleted: AgentEvents["agentDeleted"] = async () => {}) {
  const clock = { nowMs: noon, now: () => clock.nowMs };
  const events = { agentSaved: async () => {}, agentDeleted };
  const deps = { database, clock, ids, events, checkFlow: async () => [], findApiKey: async () => undefined };
  return { clock, service: { ...createAgentReader(database), ...createAgentService(deps) } };
}

type Parts = {
  clock: Pick<Clock, "now">;
  messages: ReturnType<typeof createChatMessageService>;
  history: ReturnType<typeof createUpsertHistoryService>;
  findApiKey(keyOrId: string): Promise<{ id: string } | undefined>;
};

function createRoutes(database: Database, { clock, messages, history, findApiKey }: Parts) {
  const feedback = createFeedbackService({ database, clock, ids, messages });
  const leads = createLeadService({ database, clock, ids, holdAgent: createAgentReader(database).hold });
  const checkFlow = async (text: string) => [{ level: "error" as const, code: "checked", nodeId: null, message: text }];
  const agents = createAgentService({
    database,
    clock,
    ids,
    findApiKey,
    checkFlow,
    events: {
      agentSaved: async () => {},
      async agentDeleted(tx, id) {
        for (const { removeOfAgent } of [messages, leads, history]) await removeOfAgent(tx, id);
      },
    },
  });
  const keys = { currentId: "key", byId: new Map([["key", randomBytes(32)]]) };
  const credentials = createCredentialService({
    database,
    clock,
    ids,
    secretBox: createSecretBox(() => keys),
    vault: createSecretVault(),
    operator: { accounts: {} },
  });
  return [
    ...agentRoutes(agents, () => undefined),
    ...draftRoutes(createDraftService({ database, clock, checkFlow }), () => undefined),
    ...credentialRoutes(credentials),
    ...chatMessageRoutes(messages, async () => undefined),
    ...feedbackRoutes(feedback),
    ...leadRoutes(leads),
    ...upsertHistoryRoutes(history),
  ];
}

type Exchange = { method: Method; path: string; text: string | undefined; headers: Record<string, string> };

async function exchange(app: HttpApp, { method, path, text, headers }: Exchange): Promise<Answer> {
  const init: RequestInit = {
    method,
    headers: { ...headers, ...(text !== undefined && { "Content-Type": "application/json" }) },
    ...(text !== undefined && { body: text }),
  };
  const response = await app.fetch(new Request(`http://127.0.0.1/api/v1${path}`, init));
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text: answer,
    body: answer === "" ? undefined : JSON.parse(answer),
  };
}
