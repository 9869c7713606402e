import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { NodeServices } from "@weft/engine";
import type { Json, JsonObject } from "@weft/schema";
import { chain, createFlowProcess, findingsOf, type RunFlowOptions, runFlow } from "./testing/run-flow.ts";

type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
type Answer = (request: Received, response: ServerResponse) => void;

const hostile = [
  '"}, {"admin": true',
  '", "admin": "yes',
  "a&admin=1",
  "?admin=1#x",
  "../../admin",
  "line\r\nbreak",
  "{{ $vars.key }}",
  "é 😀",
];

describe("http node", () => {
  const received: Received[] = [];
  const ok: Answer = (_request, response) => response.end();
  let answer = ok;
  let base = "";
  let http: ReturnType<typeof createEgressClient>;

  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(seen);
      answer(seen, response);
    });
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    base = `http://127.0.0.1:${port}`;
    http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  });

  after(async () => {
    await http.close();
    server.close();
    server.closeAllConnections();
  });

  beforeEach(() => {
    received.length = 0;
    answer = ok;
  });

  const node = (config: object) => ({ id: "call", type: "http", label: "Call", config });

  function servicesOf(more: Partial<NodeServices> = {}): Partial<NodeServices> {
    return { http, ...more };
  }

  const run = (config: object, options: RunFlowOptions = {}) =>
    runFlow(chain(node(config)), { ...options, services: servicesOf(options.services) });

  const json =
    (body: Json, status = 200): Answer =>
    (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };

  function last(): Received {
    assert.equal(received.length, 1);
    return received[0] as Received;
  }

  describe("request", () => {
    it("sends every method", async () => {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]) {
        const { outcome } = await run({ method, url: `${base}/x` });
        assert.equal(outcome, "completed");
        assert.equal(received.at(-1)?.method, method);
      }
    });

    it("sends a body without a type as JSON, and none where there is no body or the type says so", async () => {
      const call = { method: "POST", url: `${base}/x` };
      for (const [config, contentType, body] of [
        [{ body: '{"name":"{{ question }}"}' }, "application/json", '{"name":"hello"}'],
        [{}, undefined, ""],
        [{ bodyType: "none", body: "{}" }, undefined, ""],
      ] as const) {
        received.length = 0;
        await run({ ...call, ...config });
        assert.deepEqual([last().headers["content-type"], last().body], [contentType, body]);
      }
    });

    it("adds query parameters to those of its URL", async () => {
      const query = [
        { key: "b", value: "{{ question }}" },
        { key: "b", value: "2" },
        { key: " ", value: "unnamed" },
        { key: "empty" },
      ];
      await run({ url: `${base}/x?a=1#frag`, query });
      assert.equal(last().url, "/x?a=1&b=hello&b=2&empty=");
    });

    it("keeps a value in its place: path, query and query rows", async () => {
      for (const question of hostile) {
        received.length = 0;
        const query = [{ key: "row", value: "{{ question }}" }];
        await run(
          { url: `${base}/v1/{{ question }}/end?q={{ question }}`, query },
          { input: { question }, vars: { key: "s3cret" } },
        );
        const url = new URL(last().url, base);
        assert.deepEqual(url.pathname.split("/").map(decodeURIComponent), ["", "v1", question, "end"]);
        assert.deepEqual(
          [...url.searchParams],
          [
            ["q", question],
            ["row", question],
          ],
        );
      }
    });

    it("refuses a path segment that leads elsewhere", async () => {
      const { error } = await run({ url: `${base}/v1/{{ question }}` }, { input: { question: ".." } });
      assert.equal(error?.code, "flow-node-failed");
      assert.match(error?.message ?? "", /must not be "\.\."/);
      assert.equal(received.length, 0);
    });

    it("takes its address from a value that begins the URL", async () => {
      await run({ url: "{{ $vars.base }}/events/{{ question }}" }, { vars: { base }, input: { question: "a/b" } });
      assert.equal(last().url, "/events/a%2Fb");
    });

    it("fails in words without a URL, or with one that is none", async () => {
      for (const url of ["", "  ", "{{ $vars.gone }}"]) {
        assert.equal((await run({ url })).error?.message, "The HTTP node has no URL. Enter one.");
      }
      for (const url of ["/events", "api.test/events", "{{ $vars.gone }}{{ question }}"]) {
        const { error } = await run({ url }, { input: { question: `${base}/stolen` } });
        assert.match(error?.message ?? "", /not an absolute address/);
        assert.equal(error?.retryable, false);
      }
      assert.equal(received.length, 0);
    });

    it("sends header rows, names in any case, values rendered", async () => {
      const headers = [
        { key: "X-Who", value: "{{ question }}" },
        { key: "Accept", value: "text/csv" },
        { key: "", value: "x" },
      ];
      await run({ url: base, headers }, { input: { question: "Ädä" } });
      assert.equal(last().headers["x-who"], "Ädä");
      assert.equal(last().headers.accept, "text/csv");
    });

    it("refuses header values that would begin another header, and names that are none", async () => {
      for (const question of ["a\r\nX-Admin: yes", "a\nb", "a\rb", "nul\0"]) {
        const { error } = await run(
          { url: base, headers: [{ key: "X-Who", value: "{{ question }}" }] },
          { input: { question } },
        );
        assert.equal(error?.message, "The value of the header X-Who must not contain a line break.");
      }
      const emoji = await run(
        { url: base, headers: [{ key: "X-Who", value: "{{ question }}" }] },
        { input: { question: "😀" } },
      );
      assert.match(emoji.error?.message ?? "", /X-Who has characters that headers cannot carry/);
      for (const key of ["X Who", "X:Who", "X\r\nWho", "Größe"]) {
        const { error } = await run({ url: base, headers: [{ key, value: "x" }] });
        assert.equal(error?.message, `A header cannot be named ${JSON.stringify(key)}.`);
      }
      assert.equal(received.length, 0);
    });
  });

  describe("body", () => {
    it("sends none with GET and HEAD, whatever is configured", async () => {
      for (const method of ["GET", "HEAD"]) {
        received.length = 0;
        await run({ method, url: base, bodyType: "json", body: '{"a":1}' });
        assert.equal(last().body, "");
        assert.equal(last().headers["content-type"], undefined);
      }
    });

    it("sends none when there is none", async () => {
      for (const config of [{}, { bodyType: "json", body: " \n" }]) {
        received.length = 0;
        await run({ method: "POST", url: base, ...config });
        assert.equal(last().body, "");
        assert.equal(last().headers["content-type"], undefined);
      }
    });

    it("sends JSON in which values stay values", async () => {
      for (const question of hostile) {
        received.length = 0;
        const body =
          '{"text": "He said: {{ question }}", "whole": {{ question }}, "n": {{ $vars.n }}, "list": [{{ $vars.list }}]}';
        await run(
          { method: "POST", url: base, bodyType: "json", body },
          { input: { question }, vars: { n: 3, list: ["a", null], key: "s3cret" } },
        );
        assert.equal(last().headers["content-type"], "application/json");
        assert.deepEqual(JSON.parse(last().body), {
          text: `He said: ${question}`,
          whole: question,
          n: 3,
          list: [["a", null]],
        });
      }
    });

    it("says when its JSON is none", async () => {
      const { error } = await run({ method: "POST", url: base, bodyType: "json", body: "{text: 1}" });
      assert.match(error?.message ?? "", /^The JSON body is not valid JSON: /);
      assert.equal(received.length, 0);
    });

    it("sends raw text as it is rendered, of the type its header names", async () => {
      const body = "<a>{{ question }}</a>";
      await run({ method: "PUT", url: base, bodyType: "raw", body });
      assert.equal(last().body, "<a>hello</a>");
      assert.equal(last().headers["content-type"], "text/plain; charset=utf-8");
      received.length = 0;
      const headers = [{ key: "Content-Type", value: "application/xml" }];
      await run({ method: "PUT", url: base, bodyType: "raw", body, headers });
      assert.equal(last().headers["content-type"], "application/xml");
    });

    it("sends a form in which values stay values", async () => {
      for (const question of hostile) {
        received.length = 0;
        const form = [
          { key: "a", value: "{{ question }}" },
          { key: "b&c", value: "1" },
          { key: "", value: "unnamed" },
        ];
        await run(
          { method: "POST", url: base, bodyType: "x-www-form-urlencoded", form },
          { input: { question }, vars: { key: "s3cret" } },
        );
        assert.equal(last().headers["content-type"], "application/x-www-form-urlencoded");
        assert.deepEqual(
          [...new URLSearchParams(last().body)],
          [
            ["a", question],
            ["b&c", "1"],
          ],
        );
      }
    });

    it("sends multipart data that reads back as it was", async () => {
      const boundary = "weft-run-1";
      const values = [
        ...hostile,
        boundary,
        `--${boundary}--`,
        `\r\n--${boundary}-\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1`,
      ];
      for (const question of values) {
        received.length = 0;
        const form = [
          { key: "a", value: "{{ question }}" },
          { key: 'na"m\r\ne', value: "1" },
        ];
        await run(
          { method: "POST", url: base, bodyType: "form-data", form },
          { input: { question }, vars: { key: "s3cret" } },
        );
        const headers = { "content-type": String(last().headers["content-type"]) };
        const data = await new Response(last().body, { headers }).formData();
        assert.deepEqual(
          [...data],
          [
            ["a", question],
            ['na"m\r\ne', "1"],
          ],
        );
      }
    });
  });

  describe("answer", () => {
    it("reads JSON, and passes it on as data and as text", async () => {
      answer = json({ events: [{ id: 1 }] });
      const { text, outputOf } = await run({ url: base });
      assert.equal(text, '{"events":[{"id":1}]}');
      const output = outputOf("call") as JsonObject;
      assert.equal(output.status, 200);
      assert.equal(output.statusText, "OK");
      assert.deepEqual(output.data, { events: [{ id: 1 }] });
      assert.equal((output.headers as JsonObject)["content-type"], "application/json");
    });

    it("keeps as text what is no JSON, and reads nothing as null", async () => {
      answer = (_request, response) => response.end("<html>");
      assert.equal((await run({ url: base })).text, "<html>");
      answer = ok;
      const empty = await run({ url: base });
      assert.equal((empty.outputOf("call") as JsonObject).data, null);
      assert.equal(empty.text, "");
    });

    it("keeps as text what is nested so deeply that nothing could work on it", async () => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      answer = (_request, response) => response.end(deep);
      const { outcome, text } = await run({ url: base });
      assert.equal(outcome, "completed");
      assert.equal(text, deep);
    });

    it("reads text, bytes and base64", async () => {
      const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
      answer = (_request, response) => response.end(bytes);
      const read = async (responseType: string) =>
        ((await run({ url: base, responseType })).outputOf("call") as JsonObject).data;
      assert.equal(await read("base64"), Buffer.from(bytes).toString("base64"));
      assert.deepEqual(await read("array-buffer"), [...bytes]);
      answer = json({ a: 1 });
      assert.equal(await read("text"), '{"a":1}');
    });

    it("does not keep cookies", async () => {
      answer = (_request, response) => {
        response.setHeader("set-cookie", ["session=s3cret", "b=c"]);
        response.end();
      };
      assert.ok(!JSON.stringify((await run({ url: base })).events).includes("s3cret"));
    });

    it("refuses an answer that is too large", async () => {
      answer = (_request, response) => response.end("x".repeat(2_000));
      assert.equal((await run({ url: base, maxBytes: 1_000 })).error?.code, "egress-too-large");
    });
  });

  describe("failure", () => {
    it("fails on an error status, in the API's words", async () => {
      answer = json({ message: "No such event" }, 404);
      const { error } = await run({ url: `${base}/events/9` });
      assert.equal(error?.code, "flow-node-failed");
      assert.equal(error?.message, 'Call: GET answered 404 Not Found. {"message":"No such event"}');
      assert.deepEqual(error?.upstream, { status: 404 });
      assert.equal(error?.retryable, false);
    });

    it("takes an error status as a result where it is told to", async () => {
      answer = json({ message: "No such event" }, 404);
      const { text, outputOf } = await run({ url: base, failOnErrorStatus: false });
      assert.equal(text, '{"message":"No such event"}');
      assert.equal((outputOf("call") as JsonObject).status, 404);
    });

    it("goes on at its error port", async () => {
      answer = json({}, 500);
      const reply = { id: "r", type: "direct-reply", config: { message: "{{ call.output.error.code }}" } };
      const flow = JSON.parse(chain(node({ url: base }), reply));
      flow.edges[1].sourcePort = "error";
      assert.equal((await runFlow(JSON.stringify(flow), { services: servicesOf() })).text, "flow-node-failed");
    });

    it("tells which statuses may pass", async () => {
      for (const [status, retryable] of [
        [400, false],
        [401, false],
        [404, false],
        [409, false],
        [429, true],
        [500, true],
        [503, true],
      ] as const) {
        answer = json({}, status);
        assert.equal((await run({ url: base })).error?.retryable, retryable, String(status));
      }
    });

    it("asks again when an attempt failed, after the delay that the API names", async () => {
      answer = (_request, response) => {
        if (received.length > 2) response.end("at last");
        else
          response
            .writeHead(503, { "retry-after": received.length === 1 ? "7" : "Wed, 21 Oct 2026 07:28:00 GMT" })
            .end();
      };
      const { text, events } = await run({ url: base, onFailure: { retries: 2, retryDelayMs: 100 } });
      assert.equal(text, "at last");
      const delays = events.flatMap((event) =>
        event.type === "node-failed" && event.next.type === "retry" ? [event.next.at - event.at] : [],
      );
      assert.deepEqual(delays, [7_000, 200]);
    });

    it("never repeats a write", async () => {
      answer = json({}, 503);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        received.length = 0;
        const { error } = await run({ method, url: base, onFailure: { retries: 3, retryDelayMs: 0 } });
        assert.deepEqual(error?.upstream, { status: 503 });
        assert.equal(received.length, 1, method);
      }
    });

    it("repeats what may be repeated, with one Idempotency-Key", async () => {
      answer = (_request, response) => response.writeHead(received.length < 3 ? 503 : 200).end();
      const config = { method: "POST", idempotent: true, url: base, onFailure: { retries: 3, retryDelayMs: 0 } };
      assert.equal((await run(config)).outcome, "completed");
      const keys = received.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 3);
      assert.ok(keys[0]);
      assert.equal(new Set(keys).size, 1);
      received.length = 0;
      await run({ method: "POST", url: base });
      assert.equal(last().headers["idempotency-key"], undefined);
    });

    it("ends a call at its time limit", async () => {
      answer = () => undefined;
      const { error } = await run({ url: base, timeoutMs: 30 });
      assert.equal(error?.code, "egress-timeout");
      assert.equal(error?.retryable, true);
    });

    it("ends a call under way when the run is cancelled", async () => {
      const arrived = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      answer = (_request, response) => {
        response.on("close", closed.resolve);
        arrived.resolve();
      };
      const process = createFlowProcess(chain(node({ method: "POST", url: base })), { services: servicesOf() });
      const handle = process.start();
      await arrived.promise;
      handle.cancel();
      assert.equal(await handle.done, "cancelled");
      await closed.promise;
    });

    it("does not know whether a write took effect when its process went away", async () => {
      const arrived = Promise.withResolvers<void>();
      answer = () => arrived.resolve();
      const process = createFlowProcess(chain(node({ method: "POST", url: base })), { services: servicesOf() });
      const gone = process.start();
      await arrived.promise;
      assert.equal(await process.recover().done, "failed");
      const end = process.events().at(-1);
      assert.equal(end?.type === "run-failed" && end.error.code, "flow-outcome-unknown");
      assert.equal(received.length, 1);
      gone.cancel();
      assert.equal(await gone.done, "lost");
    });

    it("calls no address that the operator did not permit", async () => {
      const { error } = await run({ url: "http://127.0.0.1:9/" });
      assert.equal(error?.code, "egress-refused");
    });
  });

  describe("credential", () => {
    const basic = `Basic ${Buffer.from("Ädä:pässword").toString("base64")}`;
    const kinds: [Record<string, string>, [string, string]][] = [
      [{ token: "s3cret" }, ["authorization", "Bearer s3cret"]],
      [{ bearerToken: "s3cret" }, ["authorization", "Bearer s3cret"]],
      [{ username: "Ädä", password: "pässword" }, ["authorization", basic]],
      [{ basicAuthUsername: "Ädä", basicAuthPassword: "pässword" }, ["authorization", basic]],
      [{ key: "X-Api-Key", value: "s3cret" }, ["x-api-key", "s3cret"]],
      [{ apiKeyHeaderName: "X-Api-Key", apiKeyHeaderValue: "s3cret" }, ["x-api-key", "s3cret"]],
    ];

    const reading = (fields: Record<string, string>) => ({
      services: { readCredential: async (id: string) => (id === "c-1" ? fields : assert.fail(`read ${id}`)) },
    });

    it("is sent as the header it stands for, and never journalled", async () => {
      answer = json({ fine: true });
      for (const [fields, [name, value]] of kinds) {
        received.length = 0;
        const { events, outcome } = await run({ method: "POST", url: base, credential: "c-1" }, reading(fields));
        assert.equal(outcome, "completed");
        assert.equal(last().headers[name], value);
        const journal = JSON.stringify(events);
        for (const secret of [value, "s3cret", "pässword"]) assert.ok(!journal.includes(secret), name);
      }
    });

    it("stays out of the journal when the call fails", async () => {
      answer = json({}, 401);
      for (const [fields, [, value]] of kinds) {
        const { events, error } = await run({ url: base, credential: "c-1" }, reading(fields));
        assert.deepEqual(error?.upstream, { status: 401 });
        assert.ok(!JSON.stringify(events).includes(value));
      }
      const broken = await run({ url: base, credential: "c-1" }, reading({ token: "s3cret\r\nX: y" }));
      assert.equal(broken.outcome, "failed");
      assert.ok(!JSON.stringify(broken.events).includes("s3cret"));
    });

    it("gives way to a header that the node sets itself", async () => {
      const headers = [{ key: "Authorization", value: "Token mine" }];
      await run({ url: base, credential: "c-1", headers }, reading({ token: "s3cret" }));
      assert.equal(last().headers.authorization, "Token mine");
    });

    it("fails the node when it stands for nothing", async () => {
      for (const fields of [{}, { username: "u" }, { key: "X" }, { token: "" }]) {
        const { error } = await run({ url: base, credential: "c-1" }, reading(fields));
        assert.equal(error?.code, "tool-invalid");
        assert.match(error?.message ?? "", /neither a token, nor a username and password, nor a key and value/);
      }
      assert.equal(received.length, 0);
    });

    it("keeps query parameters out of the trace: they may be keys, too", async () => {
      const query = [{ key: "api_key", value: "{{ $vars.key }}" }];
      const { events } = await run({ url: `${base}/x?token=s3cret1`, query }, { vars: { key: "s3cret2" } });
      assert.match(last().url, /token=s3cret1&api_key=s3cret2/);
      const started = events.find((event) => event.type === "effect-started");
      assert.equal(started?.name, `GET ${base}/x`);
      assert.ok(!/s3cret\d/.test(JSON.stringify(events)));
    });
  });

  it("refuses settings that do not fit", () => {
    const wrong: Record<string, object> = {
      method: { method: "TRACE" },
      bodyType: { bodyType: "xml" },
      responseType: { responseType: "xml" },
      timeoutMs: { timeoutMs: 0 },
      maxBytes: { maxBytes: 1e9 },
      "headers.0.key": { headers: [{ value: "x" }] },
    };
    for (const [path, config] of Object.entries(wrong)) {
      const [finding] = findingsOf(node({ url: "http://api.test", ...config }));
      assert.deepEqual([finding?.code, finding?.path], ["node-config-invalid", path]);
    }
    for (const field of ["url", "body"]) {
      const [finding] = findingsOf(node({ [field]: "{{ typo }}" }));
      assert.deepEqual([finding?.code, finding?.path], ["template-unknown", field]);
    }
    for (const field of ["headers", "query", "form"]) {
      const [finding] = findingsOf(node({ [field]: [{ key: "a", value: "{{ typo }}" }] }));
      assert.deepEqual([finding?.code, finding?.path], ["template-unknown", `${field}.0.value`]);
    }
  });
});
