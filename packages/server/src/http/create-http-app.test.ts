import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { uuidSchema, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route } from "./define-route.ts";
import { createTestApp } from "./testing/test-app.ts";

const id = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const thingSchema = z.object({ id: z.string(), name: z.string() });
const json = { "content-type": "application/json" };
const base = { summary: "", tag: "Things", errors: [400, 404] } as const;

function thingRoutes(): Route[] {
  let name = "first";
  const returns = { schema: thingSchema };
  const params = z.object({ id: uuidSchema });
  return [
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/things/{id}",
      operationId: "getThing",
      permission: "agents:read",
      params,
      returns,
      handle: ({ params }) => ({ id: params.id, name, secret: "undeclared" }),
    }),
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/things/named/{name}",
      operationId: "getNamedThing",
      permission: "agents:read",
      query: z.object({ size: z.coerce.number().int().optional(), tag: z.array(z.string()).optional() }),
      returns: { schema: z.unknown() },
      handle: ({ params, query }) => ({ ...params, ...query }),
    }),
    defineRoute({
      ...base,
      method: "PUT",
      path: "/api/v1/things/{id}",
      operationId: "updateThing",
      permission: "agents:write",
      params,
      body: z.object({ name: z.string() }),
      returns,
      handle: ({ params, body, assertMatches }) => {
        assertMatches({ id: params.id, name });
        name = body.name;
        return { id: params.id, name };
      },
    }),
    defineRoute({
      ...base,
      method: "DELETE",
      path: "/api/v1/things/{id}",
      operationId: "deleteThing",
      permission: "agents:write",
      params,
      returns: null,
      handle: () => undefined,
    }),
    defineRoute({
      ...base,
      method: "GET",
      path: "/api/v1/open",
      operationId: "getOpen",
      permission: "open",
      returns: { schema: z.string(), contentType: "text/plain; charset=utf-8" },
      handle: () => "open",
    }),
  ];
}

function failingRoute(fail: () => never, more: Partial<Route> = {}): Route[] {
  const route = { ...base, operationId: "fail", permission: "open", returns: null, handle: fail, ...more } as const;
  return [defineRoute({ method: "GET", path: "/api/v1/fail", ...route })];
}

describe("routing", () => {
  test("a fixed segment beats a parameter, and a trailing slash equals none", async () => {
    const { send } = createTestApp(thingRoutes());
    assert.deepEqual(await (await send("GET", "/api/v1/things/named/a%20b%2Fc/")).json(), { name: "a b/c" });
    assert.equal((await send("GET", `/api/v1/things/${id}/`)).status, 200);
  });

  test("an unknown path is a JSON 404, under /api and elsewhere", async () => {
    const { send } = createTestApp(thingRoutes());
    for (const path of ["/api/v1/nothing", "/API/v1/open", "/", "/index.html", `/api/v1/things/${id}/more`]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await send(method, path);
        const body = (await response.json()) as Record<string, unknown>;
        assert.deepEqual([response.status, body.code], [404, "path-unknown"], `${method} ${path}`);
      }
    }
  });

  test("a known path with another method is 405 and says what is allowed", async () => {
    const { send } = createTestApp(thingRoutes());
    const response = await send("PATCH", `/api/v1/things/${id}/`);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "DELETE, GET, HEAD, PUT");
    assert.equal(((await response.json()) as { code: string }).code, "method-not-allowed");
  });

  test("HEAD answers as GET without a body", async () => {
    const { send } = createTestApp(thingRoutes());
    const head = await send("HEAD", `/api/v1/things/${id}`);
    const get = await send("GET", `/api/v1/things/${id}`);
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    assert.equal(head.headers.get("etag"), get.headers.get("etag"));
    const missing = await send("HEAD", "/api/v1/nothing");
    assert.deepEqual([missing.status, await missing.text()], [404, ""]);
  });

  test("files are asked for outside /api only, and only for reads", async () => {
    const asked: string[] = [];
    const { send } = createTestApp(thingRoutes(), {
      async serveFile(request) {
        asked.push(`${request.method} ${new URL(request.url).pathname}`);
        return new URL(request.url).pathname === "/page" ? new Response("page") : undefined;
      },
    });
    assert.equal(await (await send("GET", "/page")).text(), "page");
    assert.equal((await send("GET", "/other")).status, 404);
    assert.equal((await send("GET", "/api/page")).status, 404);
    assert.equal((await send("POST", "/page")).status, 404);
    assert.deepEqual(asked, ["GET /page", "GET /other"]);
  });

  test("routes that contradict each other stop the start", () => {
    const [first, second] = thingRoutes() as [Route, Route];
    assert.throws(() => createTestApp([first, { ...second, operationId: first.operationId }]), /getThing/);
    assert.throws(
      () => createTestApp([first, { ...first, operationId: "other", path: "/api/v1/things/{key}" }]),
      /Two/,
    );
  });
});

describe("identity", () => {
  test("nobody gets past a route that is not open, whatever the request looks like", async () => {
    const { send } = createTestApp(thingRoutes());
    for (const headers of [{ authorization: "" }, { authorization: "Bearer wrong" }, { authorization: "Basic YTpi" }]) {
      for (const path of [`/api/v1/things/${id}`, "/api/v1/things/not-a-uuid", "/api/v1/things/%ff"]) {
        const response = await send("PUT", path, { body: "{not json", headers });
        assert.equal(response.status, 401, path);
        assert.equal(response.headers.get("www-authenticate"), "Bearer");
      }
    }
    assert.equal((await send("GET", "/api/v1/open", { headers: { authorization: "Bearer wrong" } })).status, 200);
  });

  test("a missing permission is 403 and named, before the body is looked at", async () => {
    const { send } = createTestApp(thingRoutes());
    const headers = { authorization: "Bearer none" };
    const response = await send("PUT", `/api/v1/things/${id}`, { body: "{", headers });
    assert.equal(response.status, 403);
    assert.match(((await response.json()) as { message: string }).message, /agents:write/);
  });
});

describe("path and query", () => {
  test("a malformed id is 400 and says which", async () => {
    const { send } = createTestApp(thingRoutes());
    const response = await send("GET", "/api/v1/things/nonsense");
    const body = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([response.status, body.code], [400, "id-invalid"]);
    assert.match(String(body.message), /nonsense/);
    assert.deepEqual(body.errors, [{ path: "id", message: "must be a uuid" }]);
  });

  test("where an operation has no 400, a malformed id is an unknown one", async () => {
    const [route] = thingRoutes() as [Route];
    const { send } = createTestApp([{ ...route, errors: [404] }]);
    assert.equal((await send("GET", "/api/v1/things/nonsense")).status, 404);
  });

  test("another malformed parameter is 400 and not called an id", async () => {
    const { send } = createTestApp([
      defineRoute({
        ...base,
        method: "GET",
        path: "/api/v1/versions/{number}",
        operationId: "getVersion",
        permission: "agents:read",
        params: z.object({ number: z.coerce.number().int() }),
        returns: { schema: z.number() },
        handle: ({ params }) => params.number,
      }),
    ]);
    const body = (await (await send("GET", "/api/v1/versions/last")).json()) as Record<string, unknown>;
    assert.deepEqual([body.statusCode, body.code], [400, "parameters-invalid"]);
    assert.match(String(body.message), /number/);
    assert.equal(await (await send("GET", "/api/v1/versions/7")).json(), 7);
  });

  test("ids are taken in any case", async () => {
    const { send } = createTestApp(thingRoutes());
    const body = await (await send("GET", `/api/v1/things/${id.toUpperCase()}`)).json();
    assert.equal((body as { id: string }).id, id);
  });

  test("a broken percent-encoding is 400, in path and query", async () => {
    const { send } = createTestApp(thingRoutes());
    for (const path of ["/named/%", "/named/%zz", "/named/%ff", "/named/a?size=%", "/named/a?x=%c3%28"]) {
      assert.equal((await send("GET", `/api/v1/things${path}`)).status, 400, path);
    }
  });

  test("repeated parameters are a list; a list where one value belongs is 400; unknown ones are ignored", async () => {
    const { send } = createTestApp(thingRoutes());
    const query = async (text: string) => {
      const response = await send("GET", `/api/v1/things/named/a?${text}`);
      return [response.status, await response.json()] as [number, Record<string, unknown>];
    };
    assert.deepEqual(await query("tag=a&tag=b&tag=c+d&other=1"), [200, { name: "a", tag: ["a", "b", "c d"] }]);
    const [status, body] = await query("size=1&size=2");
    assert.deepEqual([status, body.code], [400, "query-invalid"]);
    assert.equal((await query("size=large"))[0], 400);
    assert.deepEqual(await query("__proto__=1&__proto__=2&constructor=3"), [200, { name: "a" }]);
  });
});

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

test("HSTS is said when the operator wants it, on refusals too", async () => {
  const app = createTestApp([], { hstsSeconds: 600 });
  assert.equal((await app.send("GET", "/unknown")).headers.get("strict-transport-security"), "max-age=600");
  assert.equal((await createTestApp([]).send("GET", "/unknown")).headers.get("strict-transport-security"), null);
});
