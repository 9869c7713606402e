import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpRequest, HttpResponse } from "@weft/engine/ports/http-client";
import { createHostLines, requestsAtOnce } from "./host-lines.ts";

/** A client whose requests end when they are told to. */
function heldClient() {
  const open: { url: string; end(): void }[] = [];
  const answer: HttpResponse = {
    status: 200,
    statusText: "",
    headers: {},
    body: new Uint8Array(),
    truncated: false,
    url: "",
  };
  const request = ({ url }: HttpRequest) =>
    new Promise<HttpResponse>((resolve) => open.push({ url, end: () => resolve(answer) }));
  return { open, client: { request } };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const ask = (url: string, signal?: AbortSignal) => ({ method: "GET", url, ...(signal && { signal }) });

test("a host has so many requests of a run at once, another host and another run have their own", async () => {
  const { open, client } = heldClient();
  const limit = createHostLines();
  const [parent, child, other] = [limit("root", client), limit("root", client), limit("other", client)];
  const asked = Array.from({ length: requestsAtOnce + 4 }, (_, index) =>
    (index % 2 ? parent : child).request(ask(`http://a.example/${index}`)),
  );
  await settle();
  assert.equal(open.length, requestsAtOnce);
  asked.push(parent.request(ask("http://b.example/")), other.request(ask("http://a.example/other")));
  await settle();
  assert.equal(open.length, requestsAtOnce + 2);
  for (let index = 0; index < asked.length; index += 1) {
    open[index]?.end();
    await settle();
  }
  await Promise.all(asked);
  const order = open.map(({ url }) => url).filter((url) => /a\.example\/\d/.test(url));
  assert.deepEqual(
    order,
    asked.slice(0, -2).map((_, index) => `http://a.example/${index}`),
  );
});

test("a request that is given up leaves the line, and takes nobody's place", async () => {
  const { open, client } = heldClient();
  const { request } = createHostLines()("root", client);
  const first = Array.from({ length: requestsAtOnce }, () => request(ask("http://a.example/")));
  const abort = new AbortController();
  const givenUp = request(ask("http://a.example/late", abort.signal));
  const last = request(ask("http://a.example/last"));
  abort.abort(new Error("enough"));
  await assert.rejects(givenUp, /enough/);
  open[0]?.end();
  await settle();
  assert.equal(open.at(-1)?.url, "http://a.example/last");
  for (const { end } of open) end();
  await Promise.all([...first, last]);
});
