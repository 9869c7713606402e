import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { startPulse } from "../attacks/house/start-pulse.ts";

/**
 * What one caller's load costs another: `node proof/bench/fairness.ts`. For each load, how long another agent takes to answer
 * while it lasts, and the longest ping of an open loop every 10 ms, beside both at rest in the same run. The bounds are
 * 1 s for the answer and 50 ms above the rest's longest ping.
 */
const boundMs = 50;
const answerBoundMs = 1_000;

/** Takes requests and answers none. */
const silent = createServer(() => undefined);
await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
const silentPort = (silent.address() as AddressInfo).port;

const platform = await startPlatformProcess({
  env: {
    EGRESS_ALLOW: `127.0.0.1:${silentPort}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${silentPort}/v1`,
    OPENAI_API_KEY: "bench",
    DEFAULT_MODEL: "silent",
    ALLOW_PUBLIC_FLOWS: "true",
    PUBLIC_RATE_LIMIT: "0",
    TRUST_PROXY: "1",
    MAX_EVENT_LOOP_DELAY_MS: "",
  },
});
const pulse = await startPulse(platform.url);
const waits = `return await (await fetch("http://127.0.0.1:${silentPort}/")).text()`;
const slowFunction = await createAgent("custom-function", { code: waits, timeoutMs: 60_000 });
const quickFunction = await createAgent("custom-function", { code: "return 'quick'" });
const slowModel = await createAgent("llm", {});
const quickReply = await createAgent("direct-reply", { message: "quick" });
const slowDocument = "<b>".repeat(4900) + "<i></i>".repeat(5_000_000);
const csv = "id,name,comment\n".concat(
  "1,Grace Hopper,a line that is about sixty characters long here\n".repeat(310_000),
);

const ask = (id: string) => send(id, { authorization: `Bearer ${platform.token}` }, { question: "Go" });
const visit = (id: string) => send(id, { "x-forwarded-for": "192.0.2.1" }, { question: "Go", streaming: true });

const restMs = await measure("rest", [], ask(quickFunction));
await measure("40 slow functions", times(40, ask(slowFunction)), ask(quickFunction));
await measure(
  "12 slow documents",
  times(12, attach(slowFunction, "a.html", slowDocument)),
  attach(quickReply, "a.txt", "text"),
);
await measure("120 slow runs", times(120, ask(slowModel)), ask(quickReply));
await measure("2,000 streams of one address", times(2_000, visit(slowModel)), ask(quickReply));
await measure("a CSV of 20 MB as attachment", [attach(slowFunction, "a.csv", csv)], ask(quickReply));
await pulse.stop();
await platform.remove();
silent.closeAllConnections();
silent.close();
process.exit();

type Load = (signal: AbortSignal) => Promise<unknown>;

/** Keeps a load up for a few seconds, asks another agent three times meanwhile, and gives the longest ping. */
async function measure(name: string, load: Load[], other: Load): Promise<number> {
  const controller = new AbortController();
  await other(controller.signal);
  await pulse.take();
  const loading = load.map((each) => each(controller.signal).catch(() => undefined));
  await sleep(2_000);
  let answerMs = 0;
  for (let index = 0; index < 3; index += 1) {
    const askedAt = performance.now();
    await other(AbortSignal.timeout(60_000));
    answerMs = Math.max(answerMs, performance.now() - askedAt);
  }
  await sleep(2_000);
  const { maxMs, count } = await pulse.take();
  controller.abort();
  await Promise.all(loading);
  const atRestMs = name === "rest" ? maxMs : restMs;
  const verdict = answerMs <= answerBoundMs && maxMs <= atRestMs + boundMs ? "within the bounds" : "OUT OF BOUNDS";
  const pings = `longest of ${count} pings ${maxMs.toFixed(1)} ms, ×${(maxMs / atRestMs).toFixed(1)}`;
  process.stdout.write(`${name}: another agent answers in ${answerMs.toFixed(0)} ms; ${pings}: ${verdict}\n`);
  await sleep(3_000);
  return maxMs;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function times(count: number, load: Load): Load[] {
  return Array.from({ length: count }, () => load);
}

/** A prediction, read to its end. */
function send(id: string, headers: Record<string, string>, body: object): Load {
  return async (signal) => {
    const response = await fetch(`${platform.url}/api/v1/prediction/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
    return response.text();
  };
}

function attach(id: string, name: string, text: string): Load {
  return async (signal) => {
    const body = new FormData();
    body.append("files", new Blob([text]), name);
    const headers = { authorization: `Bearer ${platform.token}` };
    const address = `${platform.url}/api/v1/attachments/${id}/${crypto.randomUUID()}`;
    return (await fetch(address, { method: "POST", headers, body, signal })).text();
  };
}

async function createAgent(type: string, config: object): Promise<string> {
  const nodes = [
    { id: "start_0", type: "start" },
    { id: "node_0", type, config },
  ];
  const flow = { weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "node_0" }] };
  const body = { name: type, flowData: JSON.stringify(flow), isPublic: true };
  return (await platform.call<{ id: string }>("POST", "/chatflows", body)).id;
}
