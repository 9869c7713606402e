import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench } from "../testing/process-bench.ts";

type Reply = { status: number; text: string };
type Case = {
  name: string;
  status: number;
  code: string;
  send(platform: PlatformProcess, agentId: string): Promise<Reply>;
};

const unknownId = "00000000-0000-4000-8000-000000000000";
const depth = 100_000;
const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const read = async (response: Response): Promise<Reply> => ({ status: response.status, text: await response.text() });

/** A body as it is, JSON or not. */
const raw = (method: string, path: string, body: string) => async (platform: PlatformProcess, agentId: string) =>
  read(
    await fetch(`${platform.url}/api/v1${path.replace("{id}", agentId)}`, {
      method,
      headers: { authorization: `Bearer ${platform.token}`, "content-type": "application/json" },
      body,
    }),
  );

const json =
  (method: string, path: string, body?: unknown): Case["send"] =>
  async (platform, agentId) =>
    read(await platform.send(method, path.replace("{id}", agentId), body));

/** Writes 60 MB as fast as they are taken. */
const huge =
  (path: string, framing: Record<string, string>): Case["send"] =>
  async ({ port, token }, agentId) => {
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      path: `/api/v1${path.replace("{id}", agentId)}`,
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...framing },
    });
    const answered = once(request, "response");
    const pieces = Array.from({ length: 60 }, () => Buffer.alloc(1_000_000, 0x61));
    Readable.from(['{"question":"', ...pieces, '"}']).pipe(request);
    const [response] = await answered;
    let text = "";
    for await (const chunk of response) text += chunk;
    request.on("error", () => undefined).destroy();
    return { status: response.statusCode, text };
  };

/** Bytes that are no HTTP request. */
const bytes =
  (content: string | Buffer): Case["send"] =>
  async ({ port }) => {
    const socket = connect(port, "127.0.0.1");
    socket.end(content);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined);
    await once(socket, "close");
    const [head = "", text = ""] = answer.split("\r\n\r\n");
    return { status: Number(head.split(" ")[1]), text };
  };

const cases: Case[] = [
  ...["{", '{"name":"x",}', "\u0000", "nul", '{"name":"\ud800'].map((body) => ({
    name: `malformed JSON: ${JSON.stringify(body)}`,
    status: 400,
    code: "body-unparsable",
    send: raw("POST", "/chatflows", body),
  })),
  {
    name: "malformed JSON to an agent",
    status: 400,
    code: "body-unparsable",
    send: raw("POST", "/prediction/{id}", "{'question':'Hi'}"),
  },
  { name: "no body", status: 400, code: "body-missing", send: json("POST", "/chatflows") },
  {
    name: "60 MB with a declared length",
    status: 413,
    code: "body-too-large",
    send: huge("/prediction/{id}", { "content-length": "60000015" }),
  },
  {
    name: "60 MB in chunks",
    status: 413,
    code: "body-too-large",
    send: huge("/chatflows", { "transfer-encoding": "chunked" }),
  },
  { name: "JSON 100,000 levels deep", status: 422, code: "body-too-deep", send: raw("POST", "/chatflows", deep) },
  {
    name: "arrays 100,000 levels deep that never end",
    status: 422,
    code: "body-too-deep",
    send: raw("POST", "/prediction/{id}", "[".repeat(depth)),
  },
  {
    name: "an agent whose flow is no object",
    status: 422,
    code: "validation-failed",
    send: json("POST", "/chatflows", { name: "x", flowData: "[]" }),
  },
  {
    name: "an agent with fields of wrong types",
    status: 422,
    code: "validation-failed",
    send: json("POST", "/chatflows", { name: 5, flowData: { nodes: [] }, deployed: "maybe" }),
  },
  {
    name: "a list instead of an agent",
    status: 422,
    code: "validation-failed",
    send: json("POST", "/chatflows", [{ name: "x", flowData: "{}" }]),
  },
  {
    name: "a wrong type in a change",
    status: 400,
    code: "body-invalid",
    send: json("PUT", "/chatflows/{id}", { name: 5 }),
  },
  {
    name: "a question that is a number",
    status: 422,
    code: "validation-failed",
    send: json("POST", "/prediction/{id}", { question: 5 }),
  },
  ...["GET", "DELETE"].map((method) => ({
    name: `${method} of an unknown agent`,
    status: 404,
    code: "not-found",
    send: json(method, `/chatflows/${unknownId}`),
  })),
  {
    name: "a question to an unknown agent",
    status: 404,
    code: "not-found",
    send: json("POST", `/prediction/${unknownId}`, { question: "Hi" }),
  },
  ...["not-a-uuid", "1", `${unknownId}0`, "%27%3B%20drop%20table%20agents", "%00", "..%2f..%2fetc"].map((id) => ({
    name: `the malformed id ${id}`,
    status: 400,
    code: "id-invalid",
    send: json("GET", `/chatflows/${id}`),
  })),
  {
    name: "an encoding that is not UTF-8",
    status: 400,
    code: "parameters-invalid",
    send: json("GET", "/chatflows/%ff"),
  },
  { name: "an unknown path", status: 404, code: "path-unknown", send: json("GET", "/no/such/path") },
  { name: "an unknown method", status: 405, code: "method-not-allowed", send: json("PATCH", "/chatflows/{id}", {}) },
  {
    name: "garbage instead of HTTP",
    status: 400,
    code: "request-malformed",
    send: bytes("\u0016\u0003\u0001 hello\r\n\r\n"),
  },
  {
    name: "two lengths",
    status: 400,
    code: "request-malformed",
    send: bytes("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
  },
  {
    name: "huge headers",
    status: 431,
    code: "headers-too-large",
    send: bytes(`GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(100_000)}\r\n\r\n`),
  },
];

/** Every member that the contract names, and nothing that is internal. */
function assertError({ status, text }: Reply, expected: Case): void {
  assert.equal(status, expected.status, text.slice(0, 500));
  assert.ok(text.length < 2_000);
  const body = JSON.parse(text);
  const { message, title, instance, errors, requestId, ...rest } = body;
  assert.deepEqual(rest, {
    statusCode: expected.status,
    success: false,
    code: expected.code,
    type: `urn:weft:error:${expected.code}`,
    status: expected.status,
    detail: message,
  });
  assert.match(message, /^\w.{15,}[.}]$/s);
  assert.match(title, /^[A-Z]/);
  assert.equal(typeof instance, "string");
  assert.ok(Array.isArray(errors));
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  assert.doesNotMatch(text, /\bat \S+ \(|node_modules|\.ts\b|select |sqlite|postgres/i);
}

await forEachDatabase((databases) => {
  describe("requests that are wrong", () => {
    it("are answered with an error each, change nothing and do the process no harm", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const platform = await start({ ADMIN_EMAIL: "admin@example.com", ADMIN_PASSWORD: "correct horse" });
      const { id } = await platform.call<{ id: string }>("POST", "/chatflows", { name: "Mine", flowData: "{}" });
      const state = async () => [
        await platform.call("GET", "/chatflows"),
        await platform.call("GET", `/chatflows/${id}/versions`),
        await platform.call("GET", `/chatmessage/${id}`),
      ];
      const before = await state();
      for (const wrong of cases) {
        await t.test(wrong.name, async () => {
          assertError(await wrong.send(platform, id), wrong);
          assert.equal((await fetch(`${platform.url}/api/v1/ping`)).status, 200);
        });
      }
      assert.deepEqual(await state(), before);
      assert.equal(platform.output(), "");
      assert.equal(await platform.kill("SIGTERM"), 0);
    });

    it("as flow data 100,000 levels deep: no run, and a sentence", async (t) => {
      const platform = await (await openProcessBench(t, databases)).start();
      const saved = await platform.send("POST", "/chatflows", { name: "Deep", flowData: deep });
      assert.equal(saved.status, 200);
      const { id, flowData } = (await saved.json()) as { id: string; flowData: string };
      assert.equal(flowData, deep);
      const findings = await platform.call<{ message: string }[]>("GET", `/chatflows/${id}/findings`);
      assert.match(findings[0]?.message ?? "", /nested more than 200 levels deep/);
      const asked = await platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      assert.equal(asked.status, 500);
      assert.equal(((await asked.json()) as { code: string }).code, "flow-invalid");
      assert.deepEqual(await platform.call("GET", `/chatmessage/${id}`), []);
    });
  });
});
