import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { load, quantile } from "./load/load.ts";
import { type ServerProcess, startServerProcess } from "./load/server-process.ts";
import { readCpuTime, readResidentMb } from "./load/threads.ts";
import { openStreams } from "./streams/open-streams.ts";
import { warmUpQuestion } from "./streams/warm-up-question.ts";
import { createAgent, flowOf } from "./weft/agents.ts";
import { predictionOf } from "./weft/requests.ts";
import { startWeft } from "./weft/start-weft.ts";

/**
 * Many conversations of one caller at once: `node proof/bench/streams.ts --clients 200 --rate 10 --seconds 10 --rounds 3`. A
 * model writes so many tokens a second to each; a bare relay (`streams/relay.ts`) and Weft (start → llm) take turns in
 * front of it. Prints the medians of the rounds: processor time of the server for each token, runs included, and its
 * ratio to the relay's; when the first token comes; what passes between the model that writes a token and the client that
 * reads it; and the most memory that was resident while the streams were open.
 *
 * `--set NAME=VALUE` is a setting of Weft, and `--beside FOLDER` another checkout that takes its turns as well.
 */
const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "200" },
    rate: { type: "string", default: "10" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    set: { type: "string", multiple: true, default: [] },
    beside: { type: "string" },
  },
});
const [clients, rate, seconds, rounds] = [values.clients, values.rate, values.seconds, values.rounds].map(toNumber) as [
  number,
  number,
  number,
  number,
];
const warmUpRequests = 2_000;
const tokens = Math.max(1, Math.round(rate * seconds));
const env = Object.fromEntries(values.set.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]));

type Server = { name: string; pid: number; request: Parameters<typeof openStreams>[0]; stop(): Promise<unknown> };
type Round = {
  cpuUs: number;
  firstP50: number;
  firstP99: number;
  delayP50: number;
  delayP99: number;
  residentMb: number;
};

const startOwn = (script: string, ...args: string[]) => startServerProcess([fileURLToPath(script), ...args]);

const model = await startOwn(import.meta.resolve("./streams/model.ts"), String(rate), String(seconds));
const servers = [await startRelay(), ...(values.beside ? [await startServer("beside", values.beside)] : [])];
servers.push(await startServer("weft"));
const measured = new Map<string, Round[]>(servers.map(({ name }) => [name, []]));
for (const { request } of servers) {
  const { body = "", ...rest } = request;
  const warmUp = { ...rest, body: body.replace("Say hello.", warmUpQuestion) };
  await load(warmUp, { connections: 16, requests: warmUpRequests });
}
for (let round = 0; round < rounds; round += 1) {
  for (const server of servers) {
    const result = await measure(server).catch((error: unknown) => error);
    if (result instanceof Error) console.log(`${server.name}: ${result.message}`);
    else measured.get(server.name)?.push(result as Round);
  }
}
print();
for (const server of servers) await server.stop();
await model.stop();
process.exit();

async function startRelay(): Promise<Server> {
  const relay: ServerProcess = await startOwn(import.meta.resolve("./streams/relay.ts"), model.url);
  const request = { port: relay.port, method: "POST", path: "/", body: "Say hello." };
  return { name: "relay", pid: relay.pid, request, stop: relay.stop };
}

async function startServer(name: string, sources?: string): Promise<Server> {
  const { platform, target } = await startWeft({
    models: { model, toolModel: model },
    // As long as a vendor's, so that it is looked for in all that comes back.
    env: { OPENAI_API_KEY: "sk-bench-0123456789abcdef", ...env },
    ...(sources !== undefined && { sources }),
  });
  const agentId = await createAgent(platform, "streams", flowOf("llm", {}));
  const request = predictionOf(target, agentId, { streaming: true });
  const stop = () => platform.kill("SIGTERM").then(platform.remove);
  return { name, pid: platform.pid, request, stop };
}

async function measure({ pid, request }: Server): Promise<Round> {
  const before = readCpuTime(pid).allMs;
  let residentMb = 0;
  const watch = setInterval(() => {
    residentMb = Math.max(residentMb, readResidentMb(pid));
  }, 250);
  const { firstTokenMs, delayMs } = await openStreams(request, { clients, tokens }).finally(() => clearInterval(watch));
  const cpuUs = ((readCpuTime(pid).allMs - before) * 1_000) / (clients * tokens);
  return {
    cpuUs,
    firstP50: quantile(firstTokenMs, 0.5),
    firstP99: quantile(firstTokenMs, 0.99),
    delayP50: quantile(delayMs, 0.5),
    delayP99: quantile(delayMs, 0.99),
    residentMb,
  };
}

function print(): void {
  console.log(`${clients} streams, ${rate} tokens/s for ${seconds} s; medians of ${rounds} rounds`);
  const relay = measured.get("relay") ?? [];
  for (const [name, all] of measured) {
    const of = (key: keyof Round) =>
      quantile(
        all.map((round) => round[key]),
        0.5,
      );
    const ratio = quantile(
      all.map(({ cpuUs }, at) => cpuUs / (relay[at]?.cpuUs ?? Number.NaN)),
      0.5,
    );
    console.log(
      `${name.padEnd(7)} ${of("cpuUs").toFixed(1).padStart(6)} µs of CPU a token, ×${ratio.toFixed(2)}; ` +
        `first token p50 ${of("firstP50").toFixed(0)}, p99 ${of("firstP99").toFixed(0)} ms; ` +
        `delay p50 ${of("delayP50").toFixed(1)}, p99 ${of("delayP99").toFixed(1)} ms; ${of("residentMb").toFixed(0)} MB`,
    );
  }
}

function toNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`"${text}" is not a number above 0.`);
  return value;
}
