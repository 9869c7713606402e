import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { createHostCheck } from "@weft/http";
import { freePort } from "../testing/free-port.ts";
import { startPlatformProcess } from "../testing/platform-process.ts";

const defaults = { host: "127.0.0.1", publicUrl: "", allowedHosts: [], trustedProxyHops: 0 };
const nobody = { authorization: null };

test("on this machine alone a request without credentials names an address or localhost", () => {
  for (const host of ["127.0.0.1", "127.0.0.5", "::1", "localhost"]) {
    const isServed = createHostCheck({ ...defaults, host });
    for (const given of ["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "[::1]:3000", "192.168.1.7", null]) {
      assert.ok(isServed({ ...nobody, host: given }), `${given}`);
    }
    for (const given of ["evil.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.evil.example", ""]) {
      assert.ok(!isServed({ ...nobody, host: given }), given);
    }
    assert.ok(isServed({ authorization: "Bearer x", host: "evil.example" }), "a page cannot know the credentials");
  }
});

test("the check is off once the operator names an address or a proxy, or listens for others", () => {
  for (const settings of [{ publicUrl: "https://weft.example" }, { trustedProxyHops: 1 }, { host: "0.0.0.0" }]) {
    assert.ok(
      createHostCheck({ ...defaults, ...settings })({ ...nobody, host: "any.example" }),
      JSON.stringify(settings),
    );
  }
});

test("with a list, hosts in it, the public address and this machine's are served, others not", () => {
  const settings = {
    allowedHosts: ["a.example", "b.example:8080"],
    publicUrl: "https://weft.example/x",
    host: "0.0.0.0",
  };
  const isServed = createHostCheck({ ...defaults, ...settings });
  for (const host of ["a.example", "A.example:99", "b.example:8080", "weft.example", "localhost", "10.0.0.1"]) {
    assert.ok(isServed({ ...nobody, host }), host);
  }
  for (const host of ["b.example", "c.example"]) assert.ok(!isServed({ ...nobody, host }), host);
});

test("a running server refuses foreign names for its API and the event API, not for pages and probes", async (t) => {
  const eventPort = await freePort();
  const server = await startPlatformProcess({ env: { EVENT_API: "true", EVENT_API_PORT: String(eventPort) } });
  t.after(() => server.remove());
  const ask = (
    path: string,
    host: string,
    { port = server.port, ...more }: { port?: number; authorization?: string } = {},
  ) => get(port, path, { host, ...more });
  const refused = await ask("/api/v1/chatflows", "evil.example:3000");
  assert.equal(refused.status, 421);
  const { code, message } = JSON.parse(refused.text);
  assert.equal(code, "host-unknown");
  assert.match(message, /evil\.example:3000.*PUBLIC_URL.*ALLOWED_HOSTS.*TRUST_PROXY/);
  assert.equal((await ask("/api/v1/auth/setup", "evil.example")).status, 421);
  assert.equal((await ask("/webhook/1234", "evil.example")).status, 421);
  for (const host of ["localhost", `127.0.0.1:${server.port}`])
    assert.equal((await ask("/api/v1/chatflows", host)).status, 401);
  const authorization = `Bearer ${server.token}`;
  assert.equal((await ask("/api/v1/chatflows", "evil.example", { authorization })).status, 200);
  for (const path of ["/livez", "/readyz", "/api/v1/ping", "/openapi.json", "/docs"]) {
    assert.equal((await ask(path, "evil.example")).status, 200, path);
  }
  // 503 where the builder is not built, which does not refuse the name either.
  assert.notEqual((await ask("/", "evil.example")).status, 421);
  const events = await ask("/events", "evil.example", { port: eventPort });
  assert.equal(events.status, 421);
  assert.match(JSON.parse(events.text).error, /evil\.example.*PUBLIC_URL/);
  assert.equal((await ask("/events", `127.0.0.1:${eventPort}`, { port: eventPort })).status, 200);
});

function get(port: number, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on("error", reject).end();
  });
}
