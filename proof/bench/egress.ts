import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgressClient } from "@weft/egress";

/**
 * What a call through the egress client costs over the same call with Node's own `fetch` (undici too), against a server in the
 * same process. The forms take turns in short rounds, so that whatever else the machine does hits all alike.
 * Prints the median of the rounds in microseconds a call, and the ratio to plain `fetch`.
 */
const rounds = 30;
const callsPerRound = 100;
const payload = JSON.stringify({ answer: "x".repeat(500) });
const body = JSON.stringify({ question: "y".repeat(500) });

const server = createServer((request, response) => {
  request.resume().on("end", () => response.setHeader("content-type", "application/json").end(payload));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/v1/chat/completions`;
const client = createEgressClient({ allow: [`127.0.0.1:${port}`] });
const init = { method: "POST", body, headers: { "content-type": "application/json", authorization: "Bearer k" } };

const forms: Record<string, () => Promise<unknown>> = {
  "plain fetch": async () => (await fetch(url, init)).json(),
  "egress fetch": async () => (await client.fetch(url, init)).json(),
  "egress request": async () => JSON.parse(Buffer.from((await client.request({ ...init, url })).body).toString()),
};

const samples: Record<string, number[]> = Object.fromEntries(Object.keys(forms).map((name) => [name, []]));
for (let round = -5; round < rounds; round += 1) {
  for (const [name, call] of Object.entries(forms)) {
    const started = performance.now();
    for (let index = 0; index < callsPerRound; index += 1) await call();
    if (round >= 0) samples[name]?.push(((performance.now() - started) * 1000) / callsPerRound);
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const baseline = median(samples["plain fetch"] ?? []);
for (const [name, values] of Object.entries(samples)) {
  const microseconds = median(values);
  const ratio = (microseconds / baseline).toFixed(2);
  process.stdout.write(`${name.padEnd(16)} ${microseconds.toFixed(0).padStart(6)} µs a call, ×${ratio}\n`);
}
await client.close();
server.close();
server.closeAllConnections();
