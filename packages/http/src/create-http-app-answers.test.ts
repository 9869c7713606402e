import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineRoute, type Route } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";
import { base, id, json, thingRoutes, thingSchema } from "./testing/thing-routes.ts";

describe("answers", () => {
  test("a handler sees the request itself where it needs to", async () => {
    const { send } = createTestApp([
      defineRoute({
        ...base,
        method: "GET",
        path: "/seen",
        operationId: "seen",
        permission: "signed-in",
        returns: { schema: z.unknown() },
        handle: ({ method, url, headers, signal, requestId, identity }) => ({
          method,
          search: url.search,
          header: headers.get("x-api-key"),
          aborted: signal.aborted,
          requestId,
          kind: identity.kind,
        }),
      }),
    ]);
    const response = await send("GET", "/seen?a=1", { headers: { "x-api-key": "k" } });
    const requestId = response.headers.get("x-request-id");
    const seen = { method: "GET", search: "?a=1", header: "k", aborted: false, requestId, kind: "api-key" };
    assert.deepEqual(await response.json(), seen);
    assert.equal((await send("GET", "/seen", { headers: { authorization: "Bearer none" } })).status, 200);
    assert.equal((await send("GET", "/seen", { headers: { authorization: "Bearer x" } })).status, 401);
  });

  test("nothing undeclared leaves", async () => {
    const { send } = createTestApp(thingRoutes());
    const response = await send("GET", `/api/v1/things/${id}`);
    assert.deepEqual(await response.json(), { id, name: "first" });
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  });

  test("a value that breaks its own schema is an internal error", async () => {
    const { send, logged } = createTestApp([
      { ...(thingRoutes()[0] as Route), handle: () => ({ id: 7, name: "secret value" }) },
    ]);
    const response = await send("GET", `/api/v1/things/${id}`);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret value|expected string/);
    assert.match(JSON.stringify(logged), /expected string/);
  });

  test("a delete answers 200 with an empty body", async () => {
    const { send } = createTestApp(thingRoutes());
    const response = await send("DELETE", `/api/v1/things/${id}`);
    assert.deepEqual([response.status, await response.text(), response.headers.get("content-type")], [200, "", null]);
  });

  test("text is the text itself", async () => {
    const { send } = createTestApp(thingRoutes());
    const response = await send("GET", "/api/v1/open");
    assert.deepEqual(
      [await response.text(), response.headers.get("content-type")],
      ["open", "text/plain; charset=utf-8"],
    );
  });

  test("a finished response passes, with the headers of every answer", async () => {
    const { send } = createTestApp([
      {
        ...(thingRoutes()[4] as Route),
        handle: () => new Response("data: 1\n\n", { status: 202, headers: { "content-type": "text/event-stream" } }),
      },
    ]);
    const response = await send("GET", "/api/v1/open");
    assert.deepEqual([response.status, await response.text()], [202, "data: 1\n\n"]);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.ok(response.headers.get("x-request-id"));
  });

  test("a long list comes in pieces and whole; a union of list and page is served as either", async () => {
    const schema = z.union([z.array(thingSchema), z.object({ data: z.array(thingSchema), total: z.number() })]);
    const all = Array.from({ length: 5_000 }, (_, index) => ({
      id: String(index),
      name: "ü".repeat(50),
      extra: index,
    }));
    const list = { ...base, method: "GET", operationId: "list", permission: "open", returns: { schema } } as const;
    const { send } = createTestApp([
      defineRoute({ ...list, path: "/all", handle: () => all }),
      defineRoute({ ...list, operationId: "page", path: "/page", handle: () => ({ data: all.slice(0, 1), total: 1 }) }),
    ]);
    const response = await send("GET", "/all");
    assert.ok(response.body !== null);
    let pieces = 0;
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      pieces++;
      text += piece;
    }
    assert.ok(pieces > 1);
    assert.deepEqual(
      JSON.parse(text),
      all.map(({ extra: _, ...thing }) => thing),
    );
    assert.deepEqual(await (await send("GET", "/page")).json(), {
      data: [{ id: "0", name: "ü".repeat(50) }],
      total: 1,
    });
  });

  test("an unchanged resource is 304, a stale update is 412", async () => {
    const { send } = createTestApp(thingRoutes());
    const path = `/api/v1/things/${id}`;
    const etag = (await send("GET", path)).headers.get("etag") ?? "";
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const unchanged = await send("GET", path, { headers: { "if-none-match": tags } });
      assert.deepEqual(
        [unchanged.status, await unchanged.text(), unchanged.headers.get("etag")],
        [304, "", etag],
        tags,
      );
    }
    assert.equal((await send("GET", path, { headers: { "if-none-match": '"other"' } })).status, 200);

    const put = (ifMatch: string, name: string) =>
      send("PUT", path, { body: JSON.stringify({ name }), headers: { ...json, "if-match": ifMatch } });
    assert.equal((await put('"other"', "no")).status, 412);
    assert.equal((await put(`W/${etag}`, "no")).status, 412);
    const updated = await put(etag, "second");
    assert.equal(updated.status, 200);
    assert.equal((await put(etag, "no")).status, 412);
    const next = updated.headers.get("etag") ?? "";
    assert.equal((await send("GET", path)).headers.get("etag"), next);
    assert.equal((await put(`"other", ${next}`, "third")).status, 200);
    assert.equal((await put("*", "fourth")).status, 200);
  });
});
