import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { RunObserver } from "@weft/engine/ports/observer";
import { createEventApi } from "@weft/event-api";
import { createLogger } from "@weft/http/logger";
import { type Json, type JsonObject, type RunEvent, textOrEmpty, toJsonObject } from "@weft/schema";
import {
  type Config,
  createTokens,
  loadTokenKey,
  openPlatform,
  operatorSubject,
  type Platform,
  type RunHooks,
  readConfig,
} from "@weft/server";
import { type Answer, type Turn, toTurn } from "./turn.ts";

export type WorkbenchOptions = {
  /** As a server would read it. Its database, data folder, keys and account are not used. */
  config: Config;
  clock: Clock;
  ids: IdSource;
  hooks?: RunHooks;
};

/** A whole platform of its own in a temporary folder, without a socket: flows run in it as they do in a server. */
export type Workbench = {
  /** Resolves with the agent's id. Rejects with the API's message if the flow cannot be stored. */
  addAgent(agent: { id?: string; name: string; flowData: string }): Promise<string>;
  /** Sends a message, the body of a prediction, and waits for what comes of it. One at a time. */
  ask(agentId: string, body: JsonObject): Promise<Turn>;
  /** Makes a request to the API. Rejects with the API's message. */
  call(method: string, path: string, body?: JsonObject): Promise<Json>;
  /** Asks the runs of a chat to end. */
  cancel(agentId: string, chatId: string): Promise<void>;
  /** Ends everything and removes the folder. */
  close(): Promise<void>;
};

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { clock, ids, hooks = {} } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "weft-flow-"));
  const { databaseUrl, encryptionKey, jwtKey } = readConfig({});
  const config = { ...options.config, dataDir, databaseUrl, encryptionKey, jwtKey, admin: undefined };
  const journals = new Map<string, RunEvent[]>();
  const observer: RunObserver = {
    committed(runId, events) {
      journals.set(runId, [...(journals.get(runId) ?? []), ...events]);
      hooks.observer?.committed(runId, events);
    },
    delta: (delta) => hooks.observer?.delta(delta),
  };
  const logger = createLogger({ level: "silent", write: () => undefined, now: clock.now });
  const platform = await openPlatform({ ...hooks, config, clock, ids, logger, observer }).catch(async (cause) => {
    await rm(dataDir, { recursive: true, force: true });
    throw cause;
  });
  const eventApi = await startEventApi(config, ids);
  const tokens = createTokens({ key: await loadTokenKey(dataDir), ttlMs: config.jwtTtlMs, clock, ids });
  const send = async (method: string, path: string, body?: JsonObject): Promise<Answer> => {
    const { token } = await tokens.issue(operatorSubject);
    return request(platform, { method, path, token, body });
  };

  return {
    async addAgent(agent) {
      const { ok, body } = await send("POST", "/chatflows", agent);
      const { id, message } = toJsonObject(body);
      if (!ok) throw new Error(textOrEmpty(message));
      return textOrEmpty(id);
    },
    async ask(agentId, body) {
      const known = new Map([...journals].map(([runId, events]) => [runId, events.length]));
      const answer = await send("POST", `/prediction/${agentId}`, body);
      for (const [runId, events] of journals) {
        const [first] = events;
        const before = known.get(runId) ?? 0;
        const isOwn = first?.type === "run-started" && first.depth === 0 && events.length > before;
        if (isOwn) return toTurn(answer, events.slice(0, before), events.slice(before));
      }
      return toTurn(answer, [], []);
    },
    async call(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.ok) return answer.body;
      throw new Error(textOrEmpty(toJsonObject(answer.body).message) || `${method} ${path} failed.`);
    },
    async cancel(agentId, chatId) {
      await send("PUT", `/chatmessage/abort/${agentId}/${chatId}`);
    },
    async close() {
      eventApi?.close();
      eventApi?.closeAllConnections();
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The reference event API, which a server has beside it, too. Where its port is taken, another one answers there. */
async function startEventApi({ eventApiPort }: Config, ids: IdSource): Promise<Server | undefined> {
  if (eventApiPort === undefined) return undefined;
  const { server } = createEventApi({ ids: ids.uuid });
  server.listen(eventApiPort, "127.0.0.1");
  return once(server, "listening").then(
    () => server,
    () => undefined,
  );
}

type ApiRequest = { method: string; path: string; token: string; body: JsonObject | undefined };

async function request(platform: Platform, { method, path, token, body }: ApiRequest): Promise<Answer> {
  const response = await platform.fetch(
    new Request(`http://workbench/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { ok: response.ok, body: isJson && text !== "" ? JSON.parse(text) : null };
}
