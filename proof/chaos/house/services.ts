import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ChatCompletionRequest,
  createScriptedEmbeddingServer,
  createScriptedOpenAiServer,
  type ScriptStep,
} from "../../../packages/providers/src/testing/index.ts";
import type { Random } from "./random.ts";

/** What the servers call: a model, embeddings, and an API that counts. All real, on loopback. */
export type Services = {
  modelUrl: string;
  embeddingUrl: string;
  apiUrl: string;
  /** `host:port` of what agents may call. */
  hosts: readonly string[];
  /** How often each write reached the API, by its id. */
  notes: ReadonlyMap<string, number>;
  /** Callbacks that came: by run, their `webhook-id`s. */
  callbacks: ReadonlyMap<string, readonly string[]>;
  /** Who hears from which port `/poison` is called, and says whether that is to go without an answer. One at a time. */
  onPoison(listener: (port: number) => boolean): void;
  close(): Promise<void>;
};

export async function startServices(random: Random): Promise<Services> {
  const model = await createScriptedOpenAiServer({
    record: false,
    script: (request) => ({ ...answer(request), delayMs: random.between(20, 400) }),
  });
  const embeddings = await createScriptedEmbeddingServer({ record: false });
  const notes = new Map<string, number>();
  const callbacks = new Map<string, string[]>();
  let poisoned = (_: number): boolean => false;
  const api = createServer(async (request, response) => {
    if (request.url === "/poison") return void (poisoned(request.socket.remotePort ?? 0) || response.end("{}"));
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as { id?: string; executionId?: string };
    if (request.url === "/note") {
      const { id = "" } = body;
      notes.set(id, (notes.get(id) ?? 0) + 1);
    } else {
      const runId = findRunId(body);
      callbacks.set(runId, [...(callbacks.get(runId) ?? []), String(request.headers["webhook-id"])]);
    }
    await sleep(random.between(10, 300));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ noted: body.id ?? "" }));
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  const apiHost = `127.0.0.1:${(api.address() as { port: number }).port}`;
  return {
    modelUrl: model.url,
    embeddingUrl: embeddings.url,
    apiUrl: `http://${apiHost}`,
    hosts: [apiHost, new URL(embeddings.url).host],
    notes,
    callbacks,
    onPoison(listener) {
      poisoned = listener;
    },
    async close() {
      api.closeAllConnections();
      api.close();
      await Promise.all([model.close(), embeddings.close(), once(api, "close")]);
    },
  };
}

export const story = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");

function answer({ messages }: ChatCompletionRequest): ScriptStep & object {
  const asked = messages.filter(({ role }) => role === "user");
  const question = String(asked.at(-1)?.content ?? "");
  if (question.startsWith("Write ")) {
    const results = messages.slice(messages.findLastIndex(({ role }) => role === "user")).filter(isToolResult);
    if (results.length === 0) return { toolCalls: [{ name: "note", arguments: { id: question.slice(6) } }] };
    return { text: `Finished: ${JSON.stringify(results[0]?.content)}` };
  }
  if (question.startsWith("Tell")) return { text: story };
  return { text: `${asked.length}` };
}

const isToolResult = ({ role }: { role: string }) => role === "tool";

/** The run that a callback tells of, wherever its body says so. */
function findRunId(body: unknown): string {
  const { executionId, data } = body as { executionId?: string; data?: unknown };
  return executionId ?? (data === undefined ? "" : findRunId(data));
}
