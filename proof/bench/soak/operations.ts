import { randomUUID } from "node:crypto";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";

/** Resolves when the answer was read to its end; rejects unless it is 2xx. */
export type Operation = () => Promise<void>;

type Addresses = { toolModelUrl: string; embeddingUrl: string; eventsUrl: string };

/** Messages that one session takes before the next begins. */
const messagesPerSession = 8;
const fileNames = 20;

/**
 * What an installation does all day, one operation after the other in always the same mix: of 20, six predictions,
 * four of them as a stream, three with a tool, three messages and lists read, two variables made and removed, one
 * newer version of a file.
 */
export async function createOperations(platform: PlatformProcess, addresses: Addresses): Promise<() => Operation> {
  const { toolModelUrl, embeddingUrl, eventsUrl } = addresses;
  const model = { provider: "openai-compatible", baseUrl: toolModelUrl, model: "scripted" };
  const tools = [{ type: "request-get", config: { url: eventsUrl, name: "get_events", description: "Events" } }];
  const llm = await createAgent(platform, "llm", {});
  const withTool = await createAgent(platform, "agent", { model, tools });
  const config = { basePath: embeddingUrl, modelName: "scripted" };
  const embeddingConfig = JSON.stringify({ name: "localAIEmbeddings", config });
  const store = await platform.call<{ id: string }>("POST", "/document-store/store", { name: "Soak", embeddingConfig });
  let asked = 0;
  let uploaded = 0;
  let sessionId = randomUUID();

  const predict = (agentId: string, streaming: boolean) => () => {
    asked += 1;
    if (asked % messagesPerSession === 0) sessionId = randomUUID();
    const body = { question: "Say hello.", overrideConfig: { sessionId }, ...(streaming && { streaming }) };
    return read(platform.send("POST", `/prediction/${agentId}`, body));
  };

  const get = (path: () => string) => () => read(platform.send("GET", path()));

  async function changeVariable(): Promise<void> {
    const body = { name: randomUUID(), value: "x", type: "static" };
    const { id } = await platform.call<{ id: string }>("POST", "/variables", body);
    await read(platform.send("DELETE", `/variables/${id}`));
  }

  /** Versions of always the same files, so that the store does not grow. */
  function upload(): Promise<void> {
    uploaded += 1;
    const text = Array.from({ length: 40 }, (_, line) => `Line ${line} of version ${uploaded}.`).join("\n");
    const form = new FormData();
    form.append("files", new File([text], `soak-${uploaded % fileNames}.txt`, { type: "text/plain" }));
    const headers = { authorization: `Bearer ${platform.token}` };
    const address = `${platform.url}/api/v1/document-store/upsert/${store.id}`;
    return read(fetch(address, { method: "POST", headers, body: form }));
  }

  const mix: readonly Operation[] = [
    predict(llm, false),
    predict(llm, true),
    predict(withTool, false),
    get(() => `/chatmessage/${llm}?sessionId=${sessionId}`),
    predict(llm, false),
    predict(llm, true),
    changeVariable,
    predict(llm, false),
    predict(withTool, false),
    get(() => "/chatflows?page=1&limit=50"),
    predict(llm, false),
    predict(llm, true),
    upload,
    predict(llm, false),
    predict(withTool, true),
    get(() => "/executions?page=1&limit=20"),
    predict(llm, false),
    predict(llm, true),
    changeVariable,
    get(() => `/chatflows/${llm}`),
  ];
  let at = 0;
  return () => mix[at++ % mix.length] as Operation;
}

async function read(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok || text.includes("event:error")) throw new Error(`${response.url}: ${response.status} ${text}`);
}

async function createAgent(platform: PlatformProcess, type: string, config: object): Promise<string> {
  const nodes = [
    { id: "start_0", type: "start" },
    { id: "node_0", type, config },
  ];
  const flow = { weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "node_0" }] };
  const body = { name: type, flowData: JSON.stringify(flow) };
  return (await platform.call<{ id: string }>("POST", "/chatflows", body)).id;
}
