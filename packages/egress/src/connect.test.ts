import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "./index.ts";

const never = new AbortController().signal;

/** A server that greets whoever connects, and a client that knows names of its own. */
async function startGreeter(t: TestContext, names: Readonly<Record<string, readonly string[]>> = {}) {
  const server = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const allow = [`127.0.0.1:${port}`, `inside.example:${port}`, "127.0.0.1:1"];
  const { connect } = createEgressClient({ allow, resolve: async (name) => names[name] ?? [] });
  const fail = (host: string, at = port) => connect(host, at, never).catch(({ code }: { code: string }) => code);
  return { port, connect, fail };
}

test("a connection goes to an address that was checked, or that the operator allows", async (t) => {
  const { connect, port } = await startGreeter(t, { "inside.example": ["127.0.0.9", "127.0.0.1"] });
  for (const host of ["127.0.0.1", "0x7f.1", "inside.example"]) {
    const socket = await connect(host, port, never);
    assert.equal((await socket.toArray()).join(""), "hello");
  }
});

test("private addresses are refused unless the operator allows the host at that port", async (t) => {
  const { connect, fail } = await startGreeter(t, { "both.example": ["93.184.216.34", "10.0.0.1"] });
  for (const host of ["both.example", "localhost", "127.0.0.2", "2130706434", "::1", "db.example."]) {
    assert.equal(await fail(host), "egress-refused", host);
  }
  assert.equal(await fail("127.0.0.1", 2), "egress-refused");
  await assert.rejects(connect("10.1.2.3", 5432, never), /10\.1\.2\.3:5432 is not allowed: .* EGRESS_ALLOW/);
});

test("a name that is not a host name, has no address or does not listen fails with a sentence", async (t) => {
  const { connect, fail } = await startGreeter(t);
  for (const host of ["", "a b", "user@db.example", "db.example/x", "db.example:1", "nobody.example"]) {
    assert.equal(await fail(host), "egress-failed", host);
  }
  await assert.rejects(connect("127.0.0.1", 1, never), /The call to 127\.0\.0\.1:1 failed: connection refused\./);
});

test("a cancel ends it with its own reason", async (t) => {
  const { connect, port } = await startGreeter(t);
  await assert.rejects(connect("127.0.0.1", port, AbortSignal.abort(new Error("cancelled"))), /cancelled/);
});
