import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { type LoadResult, load } from "./load/load.ts";
import { startModelServer } from "./load/model-server.ts";

/**
 * What hostile code in tools costs everybody else: `node proof/bench/sandbox.ts [seconds]`. Latency of `/ping` while agents
 * and trials run attacks without pause, beside the latency of the same process at rest, in turns. The bound is three
 * times the p99 at rest, or 50 ms.
 */
const seconds = Number(process.argv[2] ?? 5);
const rounds = 3;
const boundMs = 50;
const trials = 4;
const runs = 4;

const attacks = [
  "while (true);",
  "for (;;) await null",
  "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))",
  "let text = 'x'; for (;;) text += text",
  "const all = []; for (let i = 0; i < 1e6; i++) all.push(Promise.resolve(i)); await Promise.all(all)",
  "let deep = 1; for (let i = 0; i < 5000; i++) deep = [deep]; return deep",
  "return /(a+)+$/.test('a'.repeat(60) + 'b')",
  "for (let i = 0; i < 1e5; i++) console.log('y'.repeat(100))",
  "return 'x'.repeat(1e6)",
];

const model = await startModelServer(["--tool-call", "{}"]);
const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "bench", DEFAULT_MODEL: "scripted" };
const platform = await startPlatformProcess({ env });
const tools = await Promise.all(attacks.map((func) => createTool(func)));
const agents = await Promise.all(tools.map((toolId) => createAgent(toolId)));
const ping = { port: platform.port, method: "GET", path: "/api/v1/ping" };
const one = { connections: 1, seconds };

await load(ping, { ...one, seconds: 1 });
for (let round = 1; round <= rounds; round += 1) {
  const rest = await load(ping, one);
  const attack = startAttack();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const attacked = await load(ping, one);
  const ended = await attack.stop();
  print(rest, attacked, ended);
}
await Promise.all([platform.remove(), model.stop()]);

/** Keeps attacking; `stop` resolves with how many attacks have ended. */
function startAttack() {
  let isOver = false;
  let ended = 0;
  const repeat = async (attack: (index: number) => Promise<unknown>, from: number) => {
    for (let index = from; !isOver; index += 1) {
      await attack(index % attacks.length);
      ended += 1;
    }
  };
  const trial = (index: number) => platform.call("POST", `/tools/${tools[index]}/test`, { timeoutMs: 1_000 });
  const run = (index: number) => platform.call("POST", `/prediction/${agents[index]}`, { question: "Go" });
  const workers = [
    ...Array.from({ length: trials }, (_, from) => repeat(trial, from)),
    ...Array.from({ length: runs }, (_, from) => repeat(run, from + trials)),
  ];
  return {
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return ended;
    },
  };
}

async function createTool(func: string): Promise<string> {
  const { id } = await platform.call<{ id: string }>("POST", "/tools", { name: "attack", func });
  return id;
}

async function createAgent(toolId: string): Promise<string> {
  const config = { tools: [{ type: "custom-tool", config: { toolId, timeoutMs: 1_000 } }] };
  const flow = {
    weft: 1,
    nodes: [
      { id: "start_0", type: "start" },
      { id: "agent_0", type: "agent", config },
    ],
    edges: [{ id: "e", source: "start_0", target: "agent_0" }],
  };
  const body = { name: "attack", flowData: JSON.stringify(flow) };
  return (await platform.call<{ id: string }>("POST", "/chatflows", body)).id;
}

function print(rest: LoadResult, attacked: LoadResult, ended: number): void {
  const ratio = attacked.p99Ms / rest.p99Ms;
  const verdict = ratio <= 3 || attacked.p99Ms <= boundMs ? "within the bound" : "OUT OF BOUNDS";
  const at = ({ p50Ms, p99Ms }: LoadResult) => `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  process.stdout.write(
    `ping at rest ${at(rest)}; under ${ended} attacks ${at(attacked)}: ×${ratio.toFixed(1)}, ${verdict}\n`,
  );
}
