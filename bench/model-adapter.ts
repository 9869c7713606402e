import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import { openai as openAi } from "../packages/providers/src/openai/openai.ts";
import { openAiCompatible } from "../packages/providers/src/openai-compatible/openai-compatible.ts";

/**
 * What a model call costs through the adapters, over plain fetch to the same server in the same run: median of
 * interleaved rounds, so that a busy machine slows both. `node bench/model-adapter.ts [rounds]`.
 */
const rounds = Number(process.argv[2] ?? 1_500);
const warmUp = 300;

const main = fileURLToPath(import.meta.resolve("@weft/providers/testing/main"));
const server = spawn(process.execPath, [main, "--text", "Hello from the scripted model."], {
  stdio: ["ignore", "pipe", "inherit"],
});
const { url } = JSON.parse((await once(createInterface(server.stdout), "line"))[0]) as { url: string };

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
const body = {
  model: "m",
  messages,
  tools: tools.map((tool) => ({ type: "function", function: tool })),
  tool_choice: "auto",
};
const signal = new AbortController().signal;
const options = { model: "m", apiKey: "sk-bench", baseUrl: url, fetch: globalThis.fetch };
const openai = await openAi.chat.create(options);
const compatible = await openAiCompatible.chat.create(options);

const subjects: Record<string, () => Promise<unknown>> = {
  "fetch, json": () => plainFetch(false).then((response) => response.json()),
  "openai, json": () => openai.answer({ messages, tools, signal }),
  "openai-compatible, json": () => compatible.answer({ messages, tools, signal }),
  "fetch, stream": () => plainFetch(true).then((response) => response.text()),
  "openai, stream": () => openai.answer({ messages, tools, signal, onText: () => undefined }),
  "openai-compatible, stream": () => compatible.answer({ messages, tools, signal, onText: () => undefined }),
};

const times = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
for (let round = 0; round < warmUp + rounds; round += 1) {
  for (const [name, run] of Object.entries(subjects)) {
    const started = performance.now();
    await run();
    if (round >= warmUp) times.get(name)?.push(performance.now() - started);
  }
}
for (const name of times.keys()) {
  const baseline = median(name.endsWith("json") ? "fetch, json" : "fetch, stream");
  const own = median(name);
  const added = (own - baseline).toFixed(3);
  process.stdout.write(`${name.padEnd(28)} ${own.toFixed(3)} ms  +${added} ms  x${(own / baseline).toFixed(2)}\n`);
}
server.kill();

function plainFetch(stream: boolean): Promise<Response> {
  return options.fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-bench" },
    body: JSON.stringify(stream ? { ...body, stream, stream_options: { include_usage: true } } : body),
  });
}

function median(name: string): number {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
