import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { HttpClient } from "@weft/engine/ports/http-client";
import type { Json } from "@weft/schema";
import { createSandbox } from "./index.ts";

/** Answers with the status that the path names and the request as JSON; `/text` with text, `/broken` with half of JSON. */
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { method, url = "", headers } = request;
  const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 200);
  response.writeHead(status, { "content-type": "application/json", "x-reply": "r" });
  if (url === "/text") response.end("plain words");
  else if (url === "/broken") response.end('{"half":');
  else if (url === "/none") response.end();
  else response.end(JSON.stringify({ method, url, headers, body }));
});
const sandbox = createSandbox({ workers: 1 });
let http: HttpClient & { close(): Promise<void> };
let $url = "";

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  $url = `http://127.0.0.1:${port}`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await sandbox.close();
  await http.close();
});

const { signal } = new AbortController();
const run = (code: string, hasHttp = true) =>
  sandbox.run({ code: `const axios = require("axios");${code}`, globals: { $url }, signal, ...(hasHttp && { http }) });

async function resultOf(code: string): Promise<Json> {
  const result = await run(code);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** What the server saw of one call. */
async function seen(call: string) {
  const value = await resultOf(`return (await ${call}).data`);
  return value as { method: string; url: string; headers: Record<string, string>; body: string };
}

describe("axios in the sandbox", () => {
  it("gives an answer its parts", async () => {
    const value = await resultOf(`
      const { data, status, statusText, headers, config } = await axios.get($url + "/a");
      return [data.method, data.url, status, statusText, headers["x-reply"], headers.get("X-Reply"), config.method];`);
    assert.deepEqual(value, ["GET", "/a", 200, "OK", "r", "r", "get"]);
  });

  it("takes every form of a call", async () => {
    const calls: [string, string][] = [
      ["axios($url)", "GET"],
      ["axios($url, { method: 'delete' })", "DELETE"],
      ["axios({ url: $url, method: 'PUT', data: {} })", "PUT"],
      ["axios.request({ url: $url, method: 'patch' })", "PATCH"],
      ["axios.default.post($url, {})", "POST"],
      ["axios.delete($url)", "DELETE"],
      ["axios.create({ baseURL: $url }).put('/x', {})", "PUT"],
      ["require('axios').axios.patch($url, {})", "PATCH"],
    ];
    for (const [call, method] of calls) assert.equal((await seen(call)).method, method, call);
    assert.equal(await resultOf(`const { status, data } = await axios.head($url); return data + status`), "200");
  });

  it("writes parameters, addresses and headers as axios does", async () => {
    const value = await seen(`axios.create({ baseURL: $url + "/v1/", headers: { common: { "X-A": 1 }, "x-b": "b" },
      params: { no: 1 } }).get("/items?k=v#part", { headers: { "X-B": "own", "x-none": undefined },
      params: { q: "a b:c", list: [1, 2], deep: { key: true }, skip: null, day: new Date(0), "ü": "&" } })`);
    assert.equal(
      value.url,
      "/v1/items?k=v&q=a+b:c&list%5B%5D=1&list%5B%5D=2&deep%5Bkey%5D=true&day=1970-01-01T00:00:00.000Z&%C3%BC=%26",
    );
    assert.equal(value.headers["x-a"], "1");
    assert.equal(value.headers["x-b"], "own");
    assert.equal("x-none" in value.headers, false);
    assert.equal((await seen("axios.get($url, { params: new URLSearchParams('a=1') })")).url, "/?a=1");
    const own = await seen("axios.get($url, { params: { a: 1 }, paramsSerializer: { serialize: () => 'own=1' } })");
    assert.equal(own.url, "/?own=1");
  });

  it("sends data as JSON, as a form and as text", async () => {
    const bodies: [string, string, RegExp][] = [
      ["{ a: [1] }", '{"a":[1]}', /^application\/json/],
      ["new URLSearchParams({ a: 'b c' })", "a=b+c", /^application\/x-www-form-urlencoded/],
      ["'a=1'", "a=1", /^application\/x-www-form-urlencoded/],
      ["'{\"a\":1}', { headers: { 'Content-Type': 'application/json' } }", '{"a":1}', /^application\/json/],
      [
        "{ a: 'b c' }, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }",
        "a=b+c",
        /^application\/x-/,
      ],
    ];
    for (const [data, body, type] of bodies) {
      const value = await seen(`axios.post($url, ${data})`);
      assert.equal(value.body, body, data);
      assert.match(value.headers["content-type"] ?? "", type);
    }
    const form = await seen("axios.postForm($url, { a: 1 })");
    assert.deepEqual([form.method, form.body], ["POST", "a=1"]);
    const basic = await seen("axios.get($url, { auth: { username: 'u', password: 'p' } })");
    assert.equal(basic.headers.authorization, "Basic dTpw");
  });

  it("reads what is no JSON as text", async () => {
    assert.equal(await resultOf(`return (await axios.get($url + "/text")).data`), "plain words");
    assert.equal(await resultOf(`return (await axios.get($url + "/broken")).data`), '{"half":');
    assert.equal(await resultOf(`return (await axios.get($url + "/none")).data`), "");
    assert.equal(await resultOf(`return typeof (await axios.get($url, { responseType: "text" })).data`), "string");
    const transformed = `(await axios.get($url + "/text", { transformResponse: [(data) => data.length] })).data`;
    assert.equal(await resultOf(`return ${transformed}`), 11);
  });

  it("rejects with its own errors", async () => {
    const value = await resultOf(`
      const seen = [];
      for (const status of [404, 500]) {
        try { await axios.get($url + "/status/" + status); }
        catch (error) {
          seen.push([error.isAxiosError, axios.isAxiosError(error), error instanceof axios.AxiosError, error.name, error.code,
            error.message, error.status, error.response.status, error.response.data.method, error.config.url.slice($url.length)]);
        }
      }
      const fine = await axios.get($url + "/status/404", { validateStatus: (status) => status < 500 });
      const all = await axios.get($url + "/status/500", { validateStatus: null });
      return [...seen, fine.status, all.status];`);
    const common = [true, true, true, "AxiosError"];
    assert.deepEqual(value, [
      [...common, "ERR_BAD_REQUEST", "Request failed with status code 404", 404, 404, "GET", "/status/404"],
      [...common, "ERR_BAD_RESPONSE", "Request failed with status code 500", 500, 500, "GET", "/status/500"],
      404,
      500,
    ]);
  });

  it("reaches the hosts that fetch reaches, and says the same about others", async () => {
    const value = await resultOf(`
      const url = "http://169.254.169.254/latest";
      const own = await fetch(url).catch((error) => error.message);
      const error = await axios.get(url).catch((error) => error);
      return [own === error.message, error.code, error.isAxiosError, error.response ?? null, error.message];`);
    const [isSame, code, isAxiosError, response, message] = value as Json[];
    assert.deepEqual([isSame, code, isAxiosError, response], [true, "ERR_NETWORK", true, null]);
    assert.match(String(message), /169\.254\.169\.254 is not allowed/);
    const without = await run("await axios.get($url)", false);
    assert.match(without.ok ? "" : without.error.message, /may not call other hosts/);
  });

  it("passes calls through interceptors", async () => {
    const value = await resultOf(`
      const api = axios.create({ baseURL: $url });
      api.defaults.headers.common.Authorization = "Bearer k";
      api.interceptors.request.use((config) => ({ ...config, headers: { ...config.headers, "x-trace": "t" } }));
      const removed = api.interceptors.response.use(() => "removed");
      api.interceptors.response.eject(removed);
      api.interceptors.response.use((response) => response.data, (error) => Promise.resolve("failed " + error.response.status));
      const { headers } = await api.get("/x");
      return [headers.authorization, headers["x-trace"], await api.get("/status/403")];`);
    assert.deepEqual(value, ["Bearer k", "t", "failed 403"]);
  });

  it("refuses what text cannot carry", async () => {
    const result = await run(`await axios.get($url, { responseType: "arraybuffer" })`);
    assert.match(result.ok ? "" : result.error.message, /reads answers as text, so responseType arraybuffer/);
  });
});
