import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { toClientAddress, toNetwork } from "./connection-guard.ts";
import { listen } from "./listen.ts";
import { defineRoute } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";

const remoteAddress = "::ffff:192.0.2.1";
const forwardedFor = "203.0.113.7, 198.51.100.2, 10.0.0.3";

test("the header is believed as far as proxies are trusted", () => {
  const addressAt = (trustedHops: number) => toClientAddress({ remoteAddress, forwardedFor, trustedHops });
  assert.deepEqual([0, 1, 2, 3, 4, Number.POSITIVE_INFINITY].map(addressAt), [
    "192.0.2.1",
    "10.0.0.3",
    "198.51.100.2",
    "203.0.113.7",
    "203.0.113.7",
    "203.0.113.7",
  ]);
});

test("what is no address is not believed; ports, brackets and zones are left out", () => {
  const read = (header: string | null) => toClientAddress({ remoteAddress, forwardedFor: header, trustedHops: 1 });
  for (const header of [null, "", "unknown", "localhost", "1.2.3.4.5", "203.0.113.7, ", "203.0.113.7, <script>"]) {
    assert.equal(read(header), "192.0.2.1", String(header));
  }
  assert.equal(read("203.0.113.7:4711"), "203.0.113.7");
  assert.equal(read("[2001:DB8::1]:4711"), "2001:db8::1");
  assert.equal(read(" fe80::1%eth0 "), "fe80::1");
  assert.equal(toClientAddress({ forwardedFor: null, trustedHops: 0 }), "");
});

test("the addresses of one IPv6 network are one", () => {
  for (const address of ["2001:db8:0:1::", "2001:db8:0:1::2", "2001:0db8:0000:0001:ffff:ffff:1.2.3.4"]) {
    assert.equal(toNetwork(address), "2001:db8:0:1");
  }
  assert.equal(toNetwork("::1"), "0:0:0:0");
  assert.equal(toNetwork("192.0.2.1"), "192.0.2.1");
  assert.equal(toNetwork(""), "");
});

for (const [trustedProxyHops, expected] of [
  [0, "127.0.0.1"],
  [1, "203.0.113.7"],
] as const) {
  test(`a handler knows the address of the client behind ${trustedProxyHops} proxies`, async (t) => {
    const route = defineRoute({
      method: "GET",
      path: "/address",
      operationId: "address",
      summary: "",
      tag: "Test",
      permission: "open",
      returns: { schema: z.string() },
      errors: [],
      handle: ({ clientAddress }) => clientAddress,
    });
    const app = createTestApp([route], { trustedProxyHops });
    const server = await listen(app, { host: "127.0.0.1", port: 0 });
    t.after(() => server.close({ graceMs: 0 }));
    const response = await fetch(`${server.url}/address`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    assert.equal(await response.json(), expected);
  });
}
