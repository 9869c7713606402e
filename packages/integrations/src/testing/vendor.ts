import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Tool } from "@weft/engine/ports/tool";
import { effectOfName, type JsonObject } from "@weft/schema";
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
    async build(type: string, config: JsonObject) {
      const all = { credential: "c", baseUrl: bench.base, ...config };
      return bench.build(type, all, { readCredential: async () => fields });
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
    const properties = tool.parameters.properties as Record<string, JsonObject>;
    const args = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        values[`${tool.name}.${name}`] ?? values[name] ?? sampleOf(schema),
      ]),
    );
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

function sampleOf({ type, enum: values }: JsonObject) {
  if (Array.isArray(values)) return values[0] ?? "";
  return type === "integer" ? 3 : type === "boolean" ? true : "value";
}
