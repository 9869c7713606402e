import assert from "node:assert/strict";
import { test } from "node:test";
import { followRedirect } from "./hops.ts";
import type { Hop } from "./wire.ts";

const post: Hop = {
  method: "POST",
  url: new URL("https://api.example.com/v1/things?page=1"),
  headers: { authorization: "Bearer secret", "content-type": "application/json", accept: "*/*", "x-api-key": "k" },
  body: "{}",
};

test("301 and 302 turn POST into GET without body or content headers; 303 any method but GET and HEAD", () => {
  for (const status of [301, 302, 303]) {
    const next = followRedirect(post, status, "/v2");
    assert.equal(next?.method, "GET");
    assert.equal(next?.body, undefined);
    assert.deepEqual(next?.headers, { authorization: "Bearer secret", accept: "*/*", "x-api-key": "k" });
  }
  assert.equal(followRedirect({ ...post, method: "PUT" }, 302, "/v2")?.method, "PUT");
  assert.equal(followRedirect({ ...post, method: "PUT" }, 303, "/v2")?.method, "GET");
  assert.equal(followRedirect({ ...post, method: "HEAD" }, 303, "/v2")?.method, "HEAD");
});

test("307 and 308 keep method and body", () => {
  for (const status of [307, 308]) {
    const next = followRedirect(post, status, "?page=2");
    assert.equal(next?.method, "POST");
    assert.equal(next?.body, "{}");
    assert.equal(next?.url.href, "https://api.example.com/v1/things?page=2");
  }
});

test("another scheme, host or port is another origin: only headers that identify nobody stay", () => {
  for (const location of ["http://api.example.com/v1", "https://api.example.com:8443/v1", "//other.example.com/v1"]) {
    const next = followRedirect(post, 307, location);
    assert.deepEqual(next?.headers, { "content-type": "application/json", accept: "*/*" }, location);
  }
});

test("other statuses, a missing and an unreadable Location end the chain", () => {
  assert.equal(followRedirect(post, 200, "/v2"), undefined);
  assert.equal(followRedirect(post, 304, "/v2"), undefined);
  assert.equal(followRedirect(post, 300, "/v2"), undefined);
  assert.equal(followRedirect(post, 302, undefined), undefined);
  assert.equal(followRedirect(post, 302, "http://[oops"), undefined);
});
