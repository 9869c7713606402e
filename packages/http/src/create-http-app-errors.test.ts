import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WeftError } from "@weft/schema";
import { defineRoute, type Route } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";
import { base, id, json, thingRoutes } from "./testing/thing-routes.ts";

function failingRoute(fail: () => never, more: Partial<Route> = {}): Route[] {
  const route = { ...base, operationId: "fail", permission: "open", returns: null, handle: fail, ...more } as const;
  return [defineRoute({ method: "GET", path: "/api/v1/fail", ...route })];
}

describe("errors", () => {
  test("the body has the members of RFC 9457 and those that existing clients read", async () => {
    const { send } = createTestApp(
      failingRoute(() => {
        throw new WeftError("not-found", { params: { resource: "thing", id } });
      }),
    );
    const response = await send("GET", "/api/v1/fail?apikey=hidden");
    const requestId = response.headers.get("x-request-id");
    const message = `No thing with the id ${id} exists.`;
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.deepEqual(await response.json(), {
      statusCode: 404,
      success: false,
      message,
      code: "not-found",
      type: "urn:weft:error:not-found",
      title: "Not found",
      status: 404,
      detail: message,
      instance: "/api/v1/fail",
      errors: [],
      requestId,
    });
    const problem = await send("GET", "/api/v1/fail", { headers: { accept: "text/html, application/problem+json" } });
    assert.equal(problem.headers.get("content-type"), "application/problem+json");
  });

  test("what an outside service answered is told, and when to come back", async () => {
    const { send } = createTestApp(
      failingRoute(() => {
        throw new WeftError("model-rate-limited", { upstream: { status: 429, retryAfterSeconds: 3 } });
      }),
    );
    const body = (await (await send("GET", "/api/v1/fail")).json()) as Record<string, unknown>;
    assert.deepEqual(
      [body.statusCode, body.upstream, body.retryable],
      [500, { status: 429, retryAfterSeconds: 3 }, true],
    );
    const busy = createTestApp(
      failingRoute(() => {
        throw new WeftError("at-capacity", { params: { limit: 1, retryAfterSeconds: 1.5 } });
      }),
    );
    const response = await busy.send("GET", "/api/v1/fail");
    assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "2"]);
  });

  test("an unexpected error keeps its words for the log", async () => {
    const { send, logged } = createTestApp(
      failingRoute(() => {
        throw new Error("select * from secrets", { cause: new TypeError("/srv/data/file") });
      }),
    );
    const response = await send("GET", "/api/v1/fail");
    const text = await response.text();
    assert.equal(response.status, 500);
    assert.doesNotMatch(text, /secrets|srv|stack|\.ts/);
    assert.match(text, /"code":"internal"/);
    const [line] = logged;
    assert.match(JSON.stringify(line), /select \* from secrets/);
    assert.match(JSON.stringify(line), /srv\/data\/file/);
    assert.equal(line?.requestId, response.headers.get("x-request-id"));
  });

  test("an operation answers 400 for what its row does not list", async () => {
    const notFound = () => {
      throw new WeftError("not-found");
    };
    assert.equal(
      (await createTestApp(failingRoute(notFound, { errors: [400] })).send("GET", "/api/v1/fail")).status,
      400,
    );
    assert.equal((await createTestApp(failingRoute(notFound, { errors: [] })).send("GET", "/api/v1/fail")).status, 404);
  });

  test("the log names routes, not values, and no header or body", async () => {
    const { send, logged } = createTestApp(thingRoutes());
    await send("GET", "/api/v1/things/named/wk_secret?size=1234567890");
    await send("PUT", `/api/v1/things/${id}`, {
      body: '{"name":"private"}',
      headers: { ...json, "x-api-key": "wk_other" },
    });
    await send("GET", "/api/v1/wk_unknown");
    const text = JSON.stringify(logged);
    assert.doesNotMatch(text, /wk_|1234567890|private|Bearer/);
    assert.deepEqual(
      logged.map(({ level, method, route, status }) => [level, method, route, status]),
      [
        ["debug", "GET", "/api/v1/things/named/{name}", 200],
        ["info", "PUT", "/api/v1/things/{id}", 200],
        ["debug", "GET", undefined, 404],
      ],
    );
  });
});
