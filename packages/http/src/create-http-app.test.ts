import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineRoute, type Route } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";
import { base, id, thingRoutes } from "./testing/thing-routes.ts";

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
    assert.throws(() => createTestApp([first, { ...second, operationId: first.operationId }]), {
      message: `Two routes are declared as getThing: GET ${first.path} and ${second.method} ${second.path}.`,
    });
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

test("HSTS is said when the operator wants it, on refusals too", async () => {
  const app = createTestApp([], { hstsSeconds: 600 });
  assert.equal((await app.send("GET", "/unknown")).headers.get("strict-transport-security"), "max-age=600");
  assert.equal((await createTestApp([]).send("GET", "/unknown")).headers.get("strict-transport-security"), null);
});
