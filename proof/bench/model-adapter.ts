import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Agent, request as nodeRequest } from "node:http";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { createEgressClient, createSecretVault } from "@weft/egress";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import { openai as openAi } from "../../packages/providers/src/openai/openai.ts";
import { openAiCompatible } from "../../packages/providers/src/openai-compatible/openai-compatible.ts";

/**
 * What a model call costs this process through the adapters and the egress client, as the server wires them (a lent key,
 * an allowed host), beside a bare `node:http` call and Node's own `fetch` to the same server. Calls run one after the
 * other; the subjects take turns in short rounds, so that a busy machine slows all alike. Prints the median of the
 * rounds in microseconds a call (CPU of this process, and wall clock), and connections opened per 1,000 calls.
 * `node proof/bench/model-adapter.ts [rounds] [subject]`: with the words of one subject it runs that alone, for a profile.
 */
const rounds = Number(process.argv[2] ?? 25);
const only = process.argv[3];
const callsPerRound = 100;
const warmUpRounds = 5;

const { server, url } = await startServer();
const host = new URL(url).host;
const vault = createSecretVault();
const egress = createEgressClient({ allow: [host], vault });
const apiKey = vault.placeholderFor("bench", { value: "sk-bench-0123456789", name: "Bench", hosts: [host] });

const messages: ModelCall["messages"] = [
  { role: "system", content: "You manage events." },
  { role: "user", content: "List all events." },
];
const parameters = { type: "object", properties: { id: { type: "string" } } };
const tools = ["get_events", "create_event", "update_event", "delete_event"].map((name) => ({
  name,
  description: `Use this for ${name}`,
  parameters,
}));
const call = { messages, tools, signal: new AbortController().signal };
const streamed = { ...call, onText: () => undefined };
const options = { model: "m", apiKey, baseUrl: url, ...egress };
const openai = await openAi.chat.create(options);
const compatible = await openAiCompatible.chat.create(options);
const agent = new Agent({ keepAlive: true });

const subjects: Record<string, () => Promise<unknown>> = {
  "node:http, json": () => callByNode(false),
  "fetch, json": async () => (await callByFetch(false)).json(),
  "openai, json": () => openai.answer(call),
  "openai-compatible, json": () => compatible.answer(call),
  "node:http, stream": () => callByNode(true),
  "fetch, stream": async () => (await callByFetch(true)).text(),
  "openai, stream": () => openai.answer(streamed),
  "openai-compatible, stream": () => compatible.answer(streamed),
};

let connections = 0;
for (const channel of ["undici:client:connected", "net.client.socket"]) {
  subscribe(channel, () => {
    connections += 1;
  });
}

const chosen = Object.entries(subjects).filter(([name]) => only === undefined || name === only);
const samples = new Map(chosen.map(([name]) => [name, { cpu: [] as number[], wall: [] as number[], connections: 0 }]));
for (let round = -warmUpRounds; round < rounds; round += 1) {
  for (const [name, run] of chosen) {
    const before = { connections, wall: performance.now(), cpu: process.cpuUsage() };
    for (let index = 0; index < callsPerRound; index += 1) await run();
    const { user, system } = process.cpuUsage(before.cpu);
    const sample = samples.get(name);
    if (sample === undefined || round < 0) continue;
    sample.cpu.push((user + system) / callsPerRound);
    sample.wall.push(((performance.now() - before.wall) * 1_000) / callsPerRound);
    sample.connections += connections - before.connections;
  }
}
process.stdout.write(
  `${"µs a call, median of".padEnd(28)}${"CPU".padStart(8)}${"wall".padStart(8)}  connections/1,000\n`,
);
for (const [name, sample] of samples) {
  const [cpu, wall] = [median(sample.cpu), median(sample.wall)].map((value) => value.toFixed(0).padStart(8));
  const opened = ((sample.connections * 1_000) / (rounds * callsPerRound)).toFixed(1);
  process.stdout.write(`${name.padEnd(28)}${cpu}${wall}  ${opened.padStart(8)}\n`);
}
await egress.close();
agent.destroy();
server.kill();

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  const main = fileURLToPath(import.meta.resolve("@weft/providers/testing/main"));
  const server = spawn(process.execPath, [main, "--text", "Hello from the scripted model."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  return { server, url: (JSON.parse(line) as { url: string }).url };
}

/** The body and headers that the adapters send, made as often as they make them. */
function toRequest(stream: boolean) {
  const request = {
    model: "m",
    messages,
    tools: tools.map((tool) => ({ type: "function", function: tool })),
    tool_choice: "auto",
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  };
  const headers = { "content-type": "application/json", authorization: "Bearer sk-bench-0123456789" };
  return { method: "POST", headers, body: JSON.stringify(request) };
}

function callByFetch(stream: boolean): Promise<Response> {
  return fetch(`${url}/chat/completions`, toRequest(stream));
}

/** The least that Node does for such a call: the answer's text, for JSON parsed. */
function callByNode(stream: boolean): Promise<unknown> {
  const { body, ...request } = toRequest(stream);
  return new Promise((resolve, reject) => {
    const sent = nodeRequest(`${url}/chat/completions`, { ...request, agent }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve(stream ? text : JSON.parse(text));
      });
    });
    sent.on("error", reject).end(body);
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
