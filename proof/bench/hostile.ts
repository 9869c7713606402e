// Sends bodies that are meant to stop a server, one after the other, and prints for each its status and the slowest answer
// to another process that asks /livez every 10 ms, whether the one before was answered or not.
// Usage: node proof/bench/hostile.ts http://127.0.0.1:3000 "$(npm run -s token)"

import { fork } from "node:child_process";

const [base = "", token = ""] = process.argv.slice(2);
const authorised = { authorization: `Bearer ${token}` };
const json = { ...authorised, "content-type": "application/json" };
const form = { ...authorised, "content-type": "multipart/form-data; boundary=b" };

type Hostile = { name: string; path: string; headers?: Record<string, string>; body(): string };

async function createAgent(): Promise<string> {
  const nodes = [
    { id: "start_0", type: "start", label: "Start" },
    { id: "reply_0", type: "direct-reply", label: "Reply", config: { message: "Done." } },
  ];
  const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "reply_0" }] });
  const body = JSON.stringify({ name: "Target", flowData });
  const response = await fetch(`${base}/api/v1/chatflows`, { method: "POST", headers: json, body });
  return ((await response.json()) as { id: string }).id;
}

const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",")}}`;
const elements = (count: number) => `[${"1,".repeat(count - 1)}1]`;

function attacksOn(id: string): Hostile[] {
  const prediction = `/api/v1/prediction/${id}`;
  const upload = (data: string) =>
    JSON.stringify({ question: "Hi", uploads: [{ type: "file:full", name: "a.txt", mime: "text/plain", data }] });
  return [
    { name: "idle", path: prediction, body: () => '{"question":"Hi"}' },
    {
      name: "10^6 keys in overrideConfig",
      path: prediction,
      body: () => `{"question":"","overrideConfig":${keys(1e6)}}`,
    },
    { name: "10^6 keys in form", path: prediction, body: () => `{"form":${keys(1e6)}}` },
    {
      name: "10^6 keys in vars",
      path: prediction,
      body: () => `{"question":"","overrideConfig":{"vars":${keys(1e6)}}}`,
    },
    { name: "array of 5*10^6", path: prediction, body: () => `{"form":{"a":${elements(5e6)}}}` },
    { name: "question of 45 MB", path: prediction, body: () => `{"question":"${"x".repeat(45e6)}"}` },
    { name: "question of 40 MB in escapes", path: prediction, body: () => `{"question":"${'\\"'.repeat(20e6)}"}` },
    {
      name: "as much as is allowed",
      path: prediction,
      body: () => `{"form":{"a":[${`${elements(9_990)},`.repeat(9)}1]}}`,
    },
    { name: "upload of 45 MB of text", path: prediction, body: () => upload("x".repeat(45e6)) },
    {
      name: "upload of 30 MB in base64",
      path: prediction,
      body: () => upload("A".repeat(40e6)).replace("file:full", "file"),
    },
    { name: "repeated keys", path: prediction, body: () => `{${'"question":"a",'.repeat(3e6)}"question":"b"}` },
    { name: "10^7 levels", path: prediction, body: () => "[".repeat(1e7) },
    { name: "number of 50 MB", path: prediction, body: () => "1".repeat(50e6) },
    { name: "50 MB of space", path: prediction, body: () => `${" ".repeat(50e6)}{}` },
    {
      name: "agent: array of 5*10^6",
      path: "/api/v1/chatflows",
      body: () => `{"name":"x","flowData":${elements(5e6)}}`,
    },
    { name: "agent: 10^6 keys", path: "/api/v1/chatflows", body: () => keys(1e6) },
    {
      name: "agent: flow of 45 MB",
      path: "/api/v1/chatflows",
      body: () => JSON.stringify({ name: "x", flowData: `{"a":"${"x".repeat(45e6)}"}` }),
    },
    {
      name: "agent: flow of 10^6 nodes",
      path: "/api/v1/chatflows",
      body: () => JSON.stringify({ name: "x", flowData: `{"weft":1,"nodes":[${"{},".repeat(1e6)}{}],"edges":[]}` }),
    },
    {
      name: "completion: 10^6 keys",
      path: "/v1/chat/completions",
      body: () => `{"model":"x","messages":[${keys(1e6)}]}`,
    },
    {
      name: "form: 10^5 fields",
      path: prediction,
      headers: form,
      body: () => `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1e5)}--b--\r\n`,
    },
    {
      name: "form: JSON field of 45 MB",
      path: prediction,
      headers: form,
      body: () => `--b\r\nContent-Disposition: form-data; name="form"\r\n\r\n${elements(22e6)}\r\n--b--\r\n`,
    },
    { name: "query of 15,000 parameters", path: `${prediction}?${"a&".repeat(7_000)}`, body: () => "{}" },
  ];
}

async function send({ path, headers = json, body }: Hostile): Promise<string> {
  try {
    const response = await fetch(`${base}${path}`, { method: "POST", headers, body: body() });
    const text = await response.text();
    return `${response.status}, ${text.length} characters`;
  } catch (cause) {
    return `cut off: ${cause instanceof Error ? cause.message : cause}`;
  }
}

/** The slowest ping, in ms, while something runs. */
async function slowestWhile<T>(work: () => Promise<T>): Promise<{ result: T; slowestMs: number }> {
  const pinger = fork(new URL("./open-loop-pinger.ts", import.meta.url), [`${base}/livez`]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const result = await work();
  const times = new Promise<number[]>((resolve) => pinger.once("message", (sent) => resolve(sent as number[])));
  pinger.send("stop");
  return { result, slowestMs: (await times).reduce((most, time) => Math.max(most, time), 0) };
}

const id = await createAgent();
for (const attack of attacksOn(id)) {
  const { result, slowestMs } = await slowestWhile(() => send(attack));
  console.log(`${attack.name.padEnd(32)} slowest ping ${slowestMs.toFixed(0).padStart(5)} ms   ${result}`);
}
