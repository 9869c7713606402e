import { type PlatformProcess, startPlatformProcess } from "../packages/server/src/testing/platform-process.ts";
import { type LoadRequest, type LoadResult, load } from "./load/load.ts";
import { startModelServer } from "./load/model-server.ts";

/**
 * The figures of the platform, each beside a baseline of the same run: `npm run bench [-- seconds]`.
 * Load, model server and platform are three processes; the model answers without delay.
 */
const seconds = Number(process.argv[2] ?? 4);

const model = await startModelServer();
const toolModel = await startModelServer(["--tool-call", "{}"]);
const env = {
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: "bench",
  DEFAULT_MODEL: "scripted",
  EVENT_API_PORT: "5901",
  EGRESS_ALLOW: `127.0.0.1:${toolModel.port}`,
};
const platform = await startPlatformProcess({ env: { ...env, EVENT_API: "true" } });
const { port } = platform;
const idleMb = platform.residentMb();

const llm = await createAgent(platform, "llm", {});
const agent = await createAgent(platform, "agent", {
  model: { provider: "openai-compatible", baseUrl: toolModel.url, model: "scripted" },
  tools: [
    { type: "request-get", config: { url: "http://127.0.0.1:5901/events", name: "get_events", description: "Events" } },
  ],
});
const apiKey = await platform.call<{ apiKey: string }>("POST", "/apikey", { keyName: "bench", permissions: ["*"] });

const direct = directCall(model.port, false);
const directStream = directCall(model.port, true);
const predict = prediction(llm, platform.token, false);

await load(predict, { connections: 16, seconds: 2 });
await load(direct, { connections: 16, seconds: 1 });

print(
  "start to first answer (cold cache)",
  `${platform.startMs.toFixed(0)} ms`,
  `idle ${idleMb.toFixed(0)} MB resident`,
);
const warm = await startPlatformProcess({ env });
print(
  "start to first answer (warm cache)",
  `${warm.startMs.toFixed(0)} ms`,
  `idle ${warm.residentMb().toFixed(0)} MB resident`,
);
await warm.remove();

const one = { connections: 1, seconds };
const many = { connections: 16, seconds };
const direct1 = await load(direct, one);
const predict1 = await load(predict, one);
print(
  "prediction, 1 connection",
  ms(predict1.p50Ms),
  `direct ${ms(direct1.p50Ms)}, +${ms(predict1.p50Ms - direct1.p50Ms)}`,
);

const direct16 = await load(direct, many);
const predict16 = await load(predict, many);
print("prediction, 16 connections", rate(predict16), ratio(predict16, direct16, "direct model calls"));

const withTool = await load(prediction(agent, platform.token, false), many);
print("with one tool call, 16 connections", rate(withTool), ratio(withTool, direct16, "direct model calls"));

const marker = "Hello";
const directFirst = await load(directStream, { ...one, marker });
const predictFirst = await load(prediction(llm, platform.token, true), { ...one, marker });
const addedMs = predictFirst.firstByteP50Ms - directFirst.firstByteP50Ms;
print(
  "first token, 1 connection",
  ms(predictFirst.firstByteP50Ms),
  `direct ${ms(directFirst.firstByteP50Ms)}, +${ms(addedMs)}`,
);

const ping = await load({ port, method: "GET", path: "/api/v1/ping" }, many);
const withJwt = await load(getAgent(llm, platform.token), many);
const withKey = await load(getAgent(llm, apiKey.apiKey), many);
print("GET one agent, JWT", rate(withJwt), ratio(withJwt, ping, "pings"));
print("GET one agent, API key", rate(withKey), ratio(withKey, ping, "pings"));
print("after the load", `${platform.residentMb().toFixed(0)} MB resident`, "");

await Promise.all([platform.remove(), model.stop(), toolModel.stop()]);

function prediction(agentId: string, token: string, streaming: boolean): LoadRequest {
  const body = JSON.stringify({ question: "Say hello.", ...(streaming ? { streaming } : {}) });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return { port, method: "POST", path: `/api/v1/prediction/${agentId}`, headers, body };
}

function getAgent(agentId: string, token: string): LoadRequest {
  return { port, method: "GET", path: `/api/v1/chatflows/${agentId}`, headers: { authorization: `Bearer ${token}` } };
}

function directCall(modelPort: number, stream: boolean): LoadRequest {
  const body = JSON.stringify({ model: "scripted", messages: [{ role: "user", content: "Say hello." }], stream });
  const headers = { authorization: "Bearer bench", "content-type": "application/json" };
  return { port: modelPort, method: "POST", path: "/v1/chat/completions", headers, body };
}

async function createAgent(on: PlatformProcess, type: string, config: object): Promise<string> {
  const flow = {
    weft: 1,
    nodes: [
      { id: "start_0", type: "start" },
      { id: "node_0", type, config },
    ],
    edges: [{ id: "e", source: "start_0", target: "node_0" }],
  };
  const { id } = await on.call<{ id: string }>("POST", "/chatflows", { name: type, flowData: JSON.stringify(flow) });
  return id;
}

function print(name: string, figure: string, beside: string): void {
  process.stdout.write(`${name.padEnd(38)} ${figure.padStart(12)}   ${beside}\n`);
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function rate(result: LoadResult): string {
  return `${result.perSecond.toFixed(0)}/s`;
}

function ratio(result: LoadResult, baseline: LoadResult, of: string): string {
  return `${(result.perSecond / baseline.perSecond).toFixed(2)} × ${rate(baseline)} ${of}; p99 ${ms(result.p99Ms)}`;
}
