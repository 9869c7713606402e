import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { JsonObject, RequestDescription, RequestTrial } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

type Received = { method: string; url: string; authorization: string; body: string };

type Named = { path: string };

const text = { type: "string", required: true };

/** A server that may be called, and a platform. */
async function open(t: TestContext, databases: TestDatabases, answer?: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, authorization: headers.authorization ?? "", body: Buffer.concat(chunks).toString() });
    if (answer) answer(response);
    else response.setHeader("content-type", "application/json").end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: host });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    platform,
    received,
    base: `http://${host}`,
    send: (body: object) => platform.json<RequestTrial>("POST", "/flows/requests/test", body),
    describe: (body: object) => platform.json<RequestDescription>("POST", "/flows/requests", body),
  };
}

const description = `openapi: 3.0.0
info: { title: Events, version: 1.0.0 }
servers: [{ url: BASE }]
paths:
  /events/{id}:
    get:
      operationId: getEventById
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: OK } }
    delete:
      operationId: deleteEvent
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: Gone } }
`;

await onTestDatabase((databases) => {
  test("a request integration is described and sent as a run does it", async (t) => {
    const { base, received, send, describe } = await open(t, databases);
    const config = {
      url: `${base}/events/{id}`,
      name: "update_event",
      method: "PATCH",
      bodySchema: { id: text, name: text },
    };
    const { requests, references } = await describe({ type: "request-put", config });
    assert.deepEqual(references, []);
    assert.deepEqual(
      requests.map(({ name, changes, input }) => [name, changes, input.required]),
      [["update_event", true, ["id", "name"]]],
    );
    const { durationMs, ...trial } = await send({ type: "request-put", config, input: { id: "a b", name: "X" } });
    const url = `${base}/events/a%20b`;
    assert.deepEqual(trial, { status: 200, url, output: '{"ok":true}', isError: false });
    assert.ok(durationMs >= 0);
    assert.deepEqual(
      received.map(({ method, url: path, body }) => [method, path, body]),
      [["PATCH", "/events/a%20b", '{"name":"X"}']],
    );
  });

  test("each operation of a toolkit is a request of its own", async (t) => {
    const { base, received, send, describe } = await open(t, databases);
    const toolkit = { type: "openapi-toolkit", config: { openApiFile: description.replace("BASE", base) } };
    const { requests } = await describe(toolkit);
    assert.deepEqual(
      requests.map(({ name, changes }) => [name, changes]),
      [
        ["getEventById", false],
        ["deleteEvent", true],
      ],
    );
    assert.equal((await send({ ...toolkit, name: "deleteEvent", input: { id: "7" } })).status, 200);
    assert.deepEqual([received[0]?.method, received[0]?.url], ["DELETE", "/events/7"]);
  });

  test("an HTTP step is sent with the values that its templates are given, in their places", async (t) => {
    const { base, received, send, describe } = await open(t, databases);
    const config = { method: "POST", url: `${base}/{{ $vars.path }}/x`, body: '{"said":"{{ question }}"}' };
    assert.deepEqual((await describe({ type: "http", config })).references, ["$vars.path", "question"]);
    const values = { "$vars.path": "a/b", question: '"}, {"admin": true' };
    const trial = await send({ type: "http", config, values });
    assert.deepEqual([trial.status, trial.output], [200, '{"ok":true}']);
    assert.deepEqual([received[0]?.url, received[0]?.body], ["/a%2Fb/x", JSON.stringify({ said: values.question })]);
  });

  test("error statuses are answers; long ones are cut", async (t) => {
    const { base, send } = await open(t, databases, (response) => response.writeHead(404).end("x".repeat(100_000)));
    for (const type of ["request-get", "http"]) {
      const { status, isError, output } = await send({ type, config: { url: `${base}/events` } });
      assert.deepEqual([status, isError], [404, true], type);
      assert.ok(output.length > 10_000 && output.length <= 20_000, String(output.length));
    }
  });

  test("says in a sentence what cannot be reached, or not with these settings", async (t) => {
    const { base, received, send } = await open(t, databases, () => undefined);
    const missing = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
    for (const type of ["request-get", "http"]) {
      for (const [config, sentence] of [
        [{ url: "http://169.254.169.254/latest" }, /is not allowed/],
        [{ url: "/events" }, /absolute/],
        [{ url: base, credential: missing }, /credential/],
        [{ url: base, timeoutMs: 1_500 }, /1500 ms/],
      ] as [JsonObject, RegExp][]) {
        const { status, isError, output } = await send({ type, config });
        assert.deepEqual([status, isError], [null, true], `${type} ${JSON.stringify(config)}`);
        assert.match(output, sentence);
      }
    }
    assert.equal(received.length, 2, "only those with a time limit were sent");
  });

  test("a credential is sent to the hosts that it is bound to alone, and shown nowhere", async (t) => {
    const { base, platform, received, send } = await open(t, databases);
    const create = async (hosts: string[]) =>
      await platform.json<{ id: string }>("POST", "/credentials", {
        name: "Token",
        credentialName: "httpBearerToken",
        plainDataObj: { token: "s3cret-token" },
        hosts,
      });
    const bound = await create([new URL(base).host]);
    const elsewhere = await create(["api.example.com"]);
    for (const type of ["request-get", "http"]) {
      const trial = await send({ type, config: { url: `${base}/x`, credential: bound.id } });
      assert.equal(trial.status, 200, trial.output);
      const refused = await send({ type, config: { url: `${base}/x`, credential: elsewhere.id } });
      assert.deepEqual([refused.status, refused.isError], [null, true]);
      assert.doesNotMatch(JSON.stringify([trial, refused]), /s3cret/);
    }
    assert.deepEqual(
      received.map(({ authorization }) => authorization),
      ["Bearer s3cret-token", "Bearer s3cret-token"],
    );
  });

  test("missing parameters, values and names are refused before anything is sent", async (t) => {
    const { base, platform, received } = await open(t, databases);
    const put = { type: "request-put", config: { url: `${base}/{id}`, bodySchema: { id: text } } };
    const toolkit = { type: "openapi-toolkit", config: { openApiFile: description.replace("BASE", base) } };
    for (const [body, path, sentence] of [
      [put, "input", /id/],
      [{ type: "http", config: { url: `${base}/{{ question }}` } }, "values", /Provide a value for: question/],
      [toolkit, "name", /getEventById, deleteEvent/],
      [{ type: "mcp-server", config: {} }, "type", /does not send requests/],
    ] as [object, string, RegExp][]) {
      const response = await platform.send("POST", "/flows/requests/test", body);
      const problem = (await response.json()) as { code: string; message: string; errors: { path: string }[] };
      assert.deepEqual([response.status, problem.code, problem.errors[0]?.path], [422, "validation-failed", path]);
      assert.match(problem.message, sentence);
    }
    assert.equal(received.length, 0);
  });

  test("wrong settings are refused, and the refusal names them", async (t) => {
    const { base, platform, received } = await open(t, databases);
    const withSettings = (type: string, config: JsonObject) => ({ type, config: { url: base, ...config } });
    const put = (config: JsonObject) => withSettings("request-put", config);
    const cases: [object, path: string, RegExp][] = [
      [{ type: "request-get", config: {} }, "config.url", /url: .*expected string/],
      [put({ method: "FLY" }), "config.method", /method: .*"PATCH"/],
      [put({ timeoutMs: -1 }), "config.timeoutMs", /timeoutMs/],
      [put({ headers: 7 }), "config.headers", /headers/],
      [put({ url: "/events" }), "config", /URL is not an absolute http or https address/],
      [put({ headers: "{" }), "config", /Headers is not valid JSON/],
      [put({ bodySchema: { id: { type: "word" } } }), "config", /schema is invalid at id\.type/],
      [{ type: "openapi-toolkit", config: {} }, "config", /has no OpenAPI file/],
      [{ type: "openapi-toolkit", config: { openApiFile: "x: [" } }, "config", /neither valid YAML nor JSON/],
      [withSettings("http", { method: "FLY" }), "config.method", /method: .*"PATCH"/],
      [withSettings("http", { headers: 7 }), "config.headers", /headers/],
    ];
    const refusalOf = async (path: string, body: object) => {
      const response = await platform.send("POST", path, body);
      const { code, message, errors } = (await response.json()) as { code: string; message: string; errors: [Named] };
      return { said: [response.status, code, errors[0].path], message };
    };
    for (const [body, path, sentence] of cases) {
      const { said, message } = await refusalOf("/flows/requests", body);
      assert.deepEqual(said, [400, "parameters-invalid", path], message);
      assert.match(message, sentence);
    }
    const sent = await refusalOf("/flows/requests/test", withSettings("http", { method: "FLY" }));
    assert.deepEqual(sent.said, [400, "parameters-invalid", "config.method"]);
    assert.equal(received.length, 0);
  });

  test("only who may edit agents sends test requests", async (t) => {
    const { base, platform, received } = await open(t, databases);
    const { apiKey } = await platform.client.createApiKey({ keyName: "reader", permissions: ["agents:read"] });
    const body = { type: "request-get", config: { url: base } };
    for (const path of ["/flows/requests", "/flows/requests/test"]) {
      const response = await platform.send("POST", path, body, { authorization: `Bearer ${apiKey}` });
      assert.equal(response.status, 403);
    }
    assert.equal(received.length, 0);
  });
});
