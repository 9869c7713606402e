import assert from "node:assert/strict";
import { after, beforeEach, describe, it } from "node:test";
import { writePolicySchema } from "@weft/schema";
import { hostile, json, node, openHttpTarget } from "./testing/http-target.ts";
import { findingsOf } from "./testing/run-flow.ts";

const target = await openHttpTarget();
const { base, received, last, run } = target;

describe("http node", () => {
  after(target.close);
  beforeEach(target.reset);

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

  describe("credential", () => {
    const basic = `Basic ${Buffer.from("Ädä:pässword").toString("base64")}`;
    const kinds: [Record<string, string>, [string, string]][] = [
      [{ token: "s3cret" }, ["authorization", "Bearer s3cret"]],
      [{ bearerToken: "s3cret" }, ["authorization", "Bearer s3cret"]],
      [{ username: "Ädä", password: "pässword" }, ["authorization", basic]],
      [{ basicAuthUsername: "Ädä", basicAuthPassword: "pässword" }, ["authorization", basic]],
      [{ key: "X-Api-Key", value: "s3cret" }, ["x-api-key", "s3cret"]],
      [{ apiKeyHeaderName: "X-Api-Key", apiKeyHeaderValue: "s3cret" }, ["x-api-key", "s3cret"]],
      [
        { headerName1: "X-Team", headerValue1: "blue", headerName3: "X-Key", headerValue3: "s3cret" },
        ["x-key", "s3cret"],
      ],
      [{ openAIApiKey: "s3cret" }, ["authorization", "Bearer s3cret"]],
      [{ apiKey: "s3cret", baseUrl: "https://proxy.test/v1" }, ["authorization", "Bearer s3cret"]],
    ];

    const reading = (fields: Record<string, string>) => ({
      services: { readCredential: async (id: string) => (id === "c-1" ? fields : assert.fail(`read ${id}`)) },
    });

    it("is sent as the header it stands for, and never journalled", async () => {
      target.answer = json({ fine: true });
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
      target.answer = json({}, 401);
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
      for (const fields of [{}, { username: "u" }, { key: "X" }, { token: "" }, { apiKey: " " }]) {
        const { error } = await run({ url: base, credential: "c-1" }, reading(fields));
        assert.equal(error?.code, "tool-invalid");
        assert.match(
          error?.message ?? "",
          /neither a token, nor a username and password, nor a key and value, nor an API key/,
        );
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

  describe("visitors", () => {
    const visitorWrites = writePolicySchema.parse({ write: "refuse", destructive: "refuse" });
    const body = '{"query":"{{ question }}"}';
    const search = { method: "POST", url: `${base}/search`, body };
    const ask = (config: object) => run(config, { input: { question: "hello", visitorWrites } });

    it("may cause a POST of which the author says that it only reads, at the address that the author wrote", async () => {
      assert.equal((await ask(search)).error?.code, "flow-call-refused");
      const { outcome, events } = await ask({ ...search, readOnly: true });
      assert.equal(outcome, "completed");
      assert.equal(last().body, '{"query":"hello"}');
      const started = events.find((event) => event.type === "effect-started");
      assert.equal(started?.type === "effect-started" && started.kind, "read");
    });

    it("may cause nothing else by that setting", async () => {
      for (const more of [
        { url: `${base}/{{ question }}` },
        { url: `${base}/search?do={{ question }}` },
        { method: "PUT" },
        { method: "PATCH" },
        { method: "DELETE" },
      ]) {
        const { error } = await ask({ ...search, readOnly: true, ...more });
        assert.equal(error?.code, "flow-call-refused", JSON.stringify(more));
      }
      assert.equal(received.length, 0);
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
