import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { freePort } from "./free-port.ts";

const firstOfOutgoing = 32_768;

test("ports are all different, and none of them is one of outgoing connections", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  assert.equal(new Set(ports).size, ports.length);
  assert.ok(ports.every((port) => port > 10_080 && port < firstOfOutgoing));
});

test("a port that something listens on is passed over", async (t) => {
  const taken = (await freePort()) + 1;
  const server = createServer().listen(taken, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  assert.notEqual(await freePort(), taken);
});
