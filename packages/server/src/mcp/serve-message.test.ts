import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rpcCodes, serveMessage, type ToolServer } from "./serve-message.ts";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Sent = { method: string; params?: object; isCurrent: boolean; signal?: AbortSignal };

const nothing: ToolServer = { list: async () => [], call: async () => undefined };

async function send({ method, params = {}, isCurrent, signal }: Sent, tools: Partial<ToolServer> = {}) {
  const { name } = params as { name?: string };
  const current = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name && { "mcp-name": name }) };
  const response = await serveMessage({
    tools: { ...nothing, ...tools },
    version: "1",
    received: {
      message: { jsonrpc: "2.0", id: "a", method, params: { ...params, ...(isCurrent && { _meta: meta }) } },
      headers: new Headers(isCurrent ? current : {}),
      signal: signal ?? new AbortController().signal,
    },
  });
  const { id, error, result } = (await response.json()) as {
    id: string;
    error?: { code: number; data?: object };
    result?: object;
  };
  assert.equal(id, "a");
  return { status: response.status, code: error?.code, data: error?.data, result };
}

for (const isCurrent of [true, false]) {
  describe(`a message of ${isCurrent ? "the current revision" : "an earlier one"}`, () => {
    test("whose handling fails is not answered with the reason: it rejects", async () => {
      const failing = async () => Promise.reject(new Error("a secret of the server"));
      await assert.rejects(send({ method: "tools/list", isCurrent }, { list: failing }), /a secret/);
      const call = { method: "tools/call", params: { name: "x", arguments: {} }, isCurrent };
      await assert.rejects(send(call, { call: failing }), /a secret/);
    });

    test("cannot subscribe, or ask for what is not served", async () => {
      for (const method of ["subscriptions/listen", "resources/list"]) {
        const { status, code } = await send({
          method,
          isCurrent,
          params: { notifications: { toolsListChanged: true } },
        });
        assert.deepEqual([status, code], [isCurrent ? 404 : 200, -32_601]);
      }
    });

    test("that calls a tool wrongly is refused as the caller's mistake", async () => {
      for (const params of [{ name: "x", arguments: [] }, { name: "x" }]) {
        const { code } = await send({ method: "tools/call", params, isCurrent });
        assert.equal(code, rpcCodes.invalidParams);
      }
    });

    test("passes arguments and result as they are", async () => {
      const args = { question: "Why?", deep: { list: [1, null] } };
      const { result } = await send(
        { method: "tools/call", params: { name: "x", arguments: args }, isCurrent },
        { call: async (name, given) => ({ content: [], structuredContent: { name, given } }) },
      );
      assert.partialDeepStrictEqual(result, { structuredContent: { name: "x", given: args } });
    });

    test(`is ${isCurrent ? "" : "not "}cancelled when its client goes away`, async () => {
      const gone = new AbortController();
      const seen: boolean[] = [];
      await send(
        { method: "tools/call", params: { name: "x", arguments: {} }, isCurrent, signal: gone.signal },
        {
          async call(_name, _args, signal) {
            signal.addEventListener("abort", () => seen.push(true));
            setImmediate(() => gone.abort());
            await new Promise((resolve) => setTimeout(resolve, 50));
            return { content: [] };
          },
        },
      ).catch(() => undefined);
      assert.deepEqual(seen, isCurrent ? [true] : []);
    });
  });
}

test("a message of the current revision names the server and when to ask again", async () => {
  const { result } = await send({ method: "server/discover", isCurrent: true });
  assert.partialDeepStrictEqual(result, {
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "weft", version: "1" } },
  });
});
