import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineRoute } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";

const common = { summary: "", tag: "Test", errors: [400] } as const;
const expiresAt = "2030-01-02T03:04:05.678Z";

/** `all` is the token of somebody who may do everything (`createTestApp`). */
const routes = [
  defineRoute({
    ...common,
    method: "POST",
    path: "/enter",
    operationId: "enter",
    permission: "open",
    session: "starts",
    returns: { schema: z.object({ token: z.string(), expiresAt: z.string() }) },
    handle: () => ({ token: "all", expiresAt }),
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/leave",
    operationId: "leave",
    permission: "signed-in",
    session: "ends",
    returns: null,
    handle: () => undefined,
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/seen",
    operationId: "seen",
    permission: "signed-in",
    returns: { schema: z.string() },
    handle: ({ identity }) => identity.kind,
  }),
];
const app = createTestApp(routes);

const page = { "x-weft-session": "cookie", host: "weft.example" };

function send(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  return app.fetch(new Request(`http://weft.example${path}`, { method, headers }));
}

async function enter(headers: Record<string, string>) {
  const response = await send("POST", "/enter", headers);
  return { body: (await response.json()) as object, cookie: response.headers.get("set-cookie") };
}

test("a program gets its token in the answer, and no cookie", async () => {
  for (const headers of [{}, { "x-weft-session": "" }, { "x-weft-session": "token" }]) {
    assert.deepEqual(await enter(headers), { body: { token: "all", expiresAt }, cookie: null });
  }
});

test("a page gets its token in a cookie that scripts and other sites cannot use", async () => {
  const { body, cookie } = await enter(page);
  assert.deepEqual(body, { token: "", expiresAt });
  const attributes = "Path=/; Expires=Wed, 02 Jan 2030 03:04:05 GMT; HttpOnly; SameSite=Strict";
  assert.equal(cookie, `weft_session=all; ${attributes}`);
  const secure = await enter({ ...page, origin: "https://weft.example" });
  assert.equal(secure.cookie, `__Host-weft_session=all; ${attributes}; Secure`);
  const local = await enter({ ...page, host: "localhost:3000", origin: "http://localhost:3000" });
  assert.equal(local.cookie, `weft_session_3000=all; ${attributes}`);
});

test("the cookie counts only beside the header that pages of other sites cannot send", async () => {
  const cookie = "theme=dark; weft_session=all; other=1";
  assert.equal((await send("GET", "/seen", { ...page, cookie })).status, 200);
  for (const headers of [{ cookie, host: page.host }, { cookie, host: page.host, "x-weft-session": "1" }, page]) {
    assert.equal((await send("GET", "/seen", headers)).status, 401);
  }
  const asked = { origin: "https://evil.example", "access-control-request-method": "GET" };
  const preflight = await send("OPTIONS", "/seen", { ...asked, "access-control-request-headers": "x-weft-session" });
  assert.equal(preflight.status, 403);
  // Not even for a page that the operator lets use everything.
  const trusting = createTestApp(routes, { gate: { trusts: () => true, visit: () => assert.fail() } });
  const answer = await trusting.fetch(new Request("http://weft.example/seen", { method: "OPTIONS", headers: asked }));
  assert.equal(answer.status, 204);
  assert.match(answer.headers.get("access-control-allow-headers") ?? "", /Authorization/);
  assert.doesNotMatch(answer.headers.get("access-control-allow-headers") ?? "", /x-weft-session/i);
  assert.equal(answer.headers.get("access-control-allow-credentials"), null);
});

test("an Authorization header comes before the cookie, and the cookie of HTTPS before the other", async () => {
  const cookie = "weft_session=all";
  assert.equal((await send("GET", "/seen", { ...page, cookie, authorization: "Bearer x" })).status, 401);
  // A page of a subdomain may set a cookie for the whole domain, but none of that name.
  for (const order of ["weft_session=x; __Host-weft_session=all", "__Host-weft_session=all; weft_session=x"]) {
    assert.equal((await send("GET", "/seen", { ...page, cookie: order })).status, 200);
  }
});

test("servers on other ports of a host have cookies of their own", async () => {
  const cookie = "weft_session_3001=all; weft_session=all";
  assert.equal((await send("GET", "/seen", { ...page, host: "localhost:3000", cookie })).status, 401);
  assert.equal((await send("GET", "/seen", { ...page, host: "localhost:3001", cookie })).status, 200);
});

test("signing out empties the cookie; malformed ones prove nobody", async () => {
  const response = await send("POST", "/leave", { ...page, cookie: "weft_session=all" });
  const emptied = "weft_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict";
  assert.equal(response.headers.get("set-cookie"), emptied);
  for (const cookie of ["weft_session", "weft_session=", "weft_session= all", "=all", ";;;", "x".repeat(10_000)]) {
    assert.equal((await send("GET", "/seen", { ...page, cookie })).status, 401, cookie.slice(0, 30));
  }
});
