import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Tool } from "@weft/engine/ports/tool";
import { effectOfName, type Json, type JsonObject } from "@weft/schema";
import { integrations } from "../registry.ts";
import { type Answer, callTool, type Received, sendJson, startBench } from "./bench.ts";

/** A vendor that grants a new token for each request for one, and takes only the last one. */
export async function startVendor(
  t: TestContext,
  answer: Answer = (_request, response) => sendJson(response, 200, { id: "1" }),
) {
  let granted = 0;
  let revoked = 0;
  const bench = await startBench(t, (request, response) => {
    if (request.url === "/token") {
      granted += 1;
      return sendJson(response, 200, { access_token: `token-${granted}`, expires_in: 3_600, token_type: "Bearer" });
    }
    const isKnown = granted > revoked && request.headers.authorization === `Bearer token-${granted}`;
    return isKnown ? answer(request, response) : sendJson(response, 401, { error: { message: "Invalid Credentials" } });
  });
  const credential = {
    clientId: "client",
    clientSecret: `secret-${t.name}`,
    refresh_token: "refresh",
    accessTokenUrl: `${bench.base}/token`,
  };
  return {
    ...bench,
    credential,
    revoke: () => {
      revoked = granted;
    },
    calls: () => bench.received.filter(({ url }) => url !== "/token"),
    tokenRequests: () => bench.received.filter(({ url }) => url === "/token"),
    async build(type: string, config: JsonObject, fields: Record<string, string> = credential) {
      const all = { credential: "c", baseUrl: bench.base, ...config };
      return bench.build(type, all, { readCredential: async () => fields });
    },
  };
}

/** A vendor that asks for nothing more than the headers that the credential stands for. */
export async function startSite(
  t: TestContext,
  fields: Record<string, string>,
  answer: Answer = (_request, response) => sendJson(response, 200, { id: "1" }),
) {
  const bench = await startBench(t, answer);
  return {
    ...bench,
    calls: () => bench.received,
    async build(type: string, config: JsonObject, own: Record<string, string> = fields) {
      const all = { credential: "c", baseUrl: bench.base, ...config };
      return bench.build(type, all, { readCredential: async () => own });
    },
  };
}

export type TestVendor = Pick<Awaited<ReturnType<typeof startSite>>, "build" | "calls" | "context">;

/** Every action of an integration. */
export function actionsOf(type: string): string[] {
  const shape = integrations[type as "gmail"].config as unknown as {
    shape: { actions: { unwrap(): { element: { options: string[] } } } };
  };
  return shape.shape.actions.unwrap().element.options;
}

/**
 * Calls every action with a value for each parameter, those of `values` by `parameter` or `tool.parameter`. Rejects when
 * one fails. Returns `METHOD path` of each request.
 */
export async function callEveryAction(vendor: TestVendor, type: string, values: JsonObject = {}): Promise<string[]> {
  const tools = await vendor.build(type, { actions: actionsOf(type) });
  const before = vendor.calls().length;
  for (const tool of tools) {
    const args = sampleArguments(tool, values);
    const first = vendor.calls().length;
    const { isError, content } = await callTool(tool, args, vendor.context());
    if (isError) throw new Error(`${tool.name}: ${content}`);
    assertEffect(tool, vendor.calls().slice(first));
  }
  return vendor
    .calls()
    .slice(before)
    .map(({ method, url }) => `${method} ${url.replace(/\?.*$/, "")}`);
}

/** What begins to be said of an action that takes something away. */
const removal = /^(?:delet|remov|empt|clear|purg|eras|destroy|moves a \w+ to the trash)/i;

/** A person is asked about what an action takes away, so each says that it does; and none that writes says that it reads. */
function assertEffect({ name, description, effect }: Tool, calls: readonly Pick<Received, "method">[]): void {
  const removes =
    calls.some(({ method }) => method === "DELETE") ||
    effectOfName(name) === "destructive" ||
    removal.test(description);
  if (removes) assert.equal(effect, "destructive", `${name} takes something away`);
  if (effect === "read") assert.ok(!calls.some(({ method }) => writing.has(method)), `${name} changes something`);
}

const writing: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** A value for each parameter: that of `values` by `parameter` or `tool.parameter`, else `word` or what its type allows. */
function sampleArguments({ name: tool, parameters }: Tool, values: JsonObject, word = "value"): JsonObject {
  const properties = Object.entries(parameters.properties as Record<string, JsonObject>);
  return Object.fromEntries(
    properties.map(([name, schema]) => [name, values[`${tool}.${name}`] ?? values[name] ?? sampleOf(schema, word)]),
  );
}

function sampleOf({ type, enum: values }: JsonObject, word: string): Json {
  if (Array.isArray(values)) return values[0] ?? "";
  if (type === "object") return { [word]: word };
  return type === "integer" ? 3 : type === "boolean" ? true : word;
}

/** Answers that nobody documents, as the text that is sent. */
const oddAnswers: readonly string[] = [
  ...[
    "null",
    "42",
    "[]",
    "{}",
    '"text"',
    "[null,1,[]]",
    '{"ok":true}',
    "<html>Not JSON",
    "",
    '{"__proto__":{"id":"x"}}',
  ],
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  JSON.stringify({ ok: true, text: "x".repeat(200_000) }),
];

/**
 * Asserts that every action turns any answer into a short result without the credential in it: the odd ones, and those of
 * `hostile`, in the vendor's own form.
 */
export async function assertWithstandsOddAnswers(
  t: TestContext,
  { type, fields, values = {} }: { type: string; fields: Record<string, string>; values?: JsonObject },
  hostile: readonly Json[],
): Promise<void> {
  let sent = "";
  const site = await startSite(t, fields, (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(sent);
  });
  const answers = [...oddAnswers, ...hostile.map((one) => JSON.stringify(one))];
  for (const tool of await site.build(type, { actions: actionsOf(type) })) {
    for (const answer of answers) {
      sent = answer;
      const result = await callTool(tool, sampleArguments(tool, values), site.context());
      assert.ok(result.content.length < 41_000, `${tool.name}: ${result.content.length} characters`);
      const shown = JSON.stringify(result);
      assert.ok(
        Object.values(fields).every((secret) => !shown.includes(secret)),
        `${tool.name} shows a secret`,
      );
    }
  }
}

/** Asserts that no argument leads out of the path that its action has. */
export async function assertStaysInPath(
  t: TestContext,
  { type, fields, values = {} }: { type: string; fields: Record<string, string>; values?: JsonObject },
): Promise<void> {
  const site = await startSite(t, fields);
  for (const tool of await site.build(type, { actions: actionsOf(type) })) {
    for (const word of ["../../outside", "..", "%2e%2e/outside", "a?b#c/outside"]) {
      await callTool(tool, sampleArguments(tool, values, word), site.context());
    }
  }
  const paths = site.calls().map(({ url }) => url.replace(/\?.*/, ""));
  assert.deepEqual(
    paths.filter((path) => /\/outside|\/\.\.?(\/|$)|#/.test(path)),
    [],
  );
}

type Refusal = [status: number, body: Json, headers?: Record<string, string>];

/** What the model reads where the vendor answers a call so. Asserts that each is an error, and sent once. */
export async function readRefusals(
  t: TestContext,
  { type, fields, action, args }: { type: string; fields: Record<string, string>; action: string; args: JsonObject },
  refusals: readonly Refusal[],
): Promise<string[]> {
  let at = 0;
  const site = await startSite(t, fields, (_request, response) => {
    const [status, body, headers = {}] = refusals[at] ?? [500, null];
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  const [tool] = await site.build(type, { actions: [action] });
  assert.ok(tool);
  const contents: string[] = [];
  for (at = 0; at < refusals.length; at += 1) {
    const { content, isError } = await callTool(tool, args, site.context());
    assert.equal(isError, true, content);
    contents.push(content);
  }
  assert.equal(site.calls().length, refusals.length);
  return contents;
}

/** Asserts what the model reads of each refusal, as `readRefusals` has it. Resolves with all that it reads. */
export async function assertRefusals(
  t: TestContext,
  call: Parameters<typeof readRefusals>[1],
  refusals: readonly Refusal[],
  expected: readonly RegExp[],
): Promise<string[]> {
  const contents = await readRefusals(t, call, refusals);
  assert.equal(contents.length, expected.length);
  for (const [index, pattern] of expected.entries()) assert.match(contents[index] ?? "", pattern);
  return contents;
}
