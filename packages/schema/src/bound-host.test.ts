import assert from "node:assert/strict";
import { test } from "node:test";
import { coversHost, coversUrl, parseBoundHost } from "./bound-host.ts";

test("hosts, ports, patterns and addresses become one form", () => {
  const forms: [text: string, entry: string | undefined][] = [
    [" API.Example.com ", "api.example.com"],
    ["api.example.com:8443", "api.example.com:8443"],
    ["https://api.example.com/v1?x=1", "api.example.com"],
    ["http://127.0.0.1:5566/events", "http://127.0.0.1:5566"],
    ["HTTP://Intranet.example.com:80", "http://intranet.example.com"],
    ["[::1]:443", "[::1]"],
    ["*.example.com", "*.example.com"],
    ["*.com", undefined],
    ["*", undefined],
    ["*.1.2.3.4", undefined],
    ["a.*.example.com", undefined],
    ["https://*.example.com", undefined],
    ["user@example.com", undefined],
    ["https://user:word@example.com", undefined],
    ["example.com/path", undefined],
    ["two hosts", undefined],
    ["", undefined],
    ["ftp://example.com", undefined],
  ];
  for (const [text, entry] of forms) assert.equal(parseBoundHost(text), entry, text);
});

test("an entry covers its host at its port; a pattern every name under it, and not its look-alikes", () => {
  const covers = (entry: string, url: string) => coversUrl([entry], new URL(url));
  assert.ok(covers("api.example.com", "https://api.example.com/v1"));
  assert.ok(!covers("api.example.com", "https://api.example.com:8443/v1"));
  assert.ok(!covers("api.example.com", "https://api.example.com.evil.test/"));
  assert.ok(covers("api.example.com:8443", "https://api.example.com:8443/"));
  assert.ok(covers("*.example.com", "https://a.b.example.com/"));
  assert.ok(!covers("*.example.com", "https://example.com/"));
  assert.ok(!covers("*.example.com", "https://evilexample.com/"));
  assert.ok(!covers("*.example.com", "https://a.example.com:8443/"));
});

test("what an entry allows over https goes nowhere without TLS, unless the entry or the operator says so", () => {
  const covers = (entry: string, url: string, allowsPlain = false) => coversUrl([entry], new URL(url), allowsPlain);
  for (const entry of ["api.example.com", "*.example.com"]) {
    assert.ok(!covers(entry, "http://api.example.com/"));
    assert.ok(covers(entry, "http://api.example.com/", true));
  }
  assert.ok(!covers("api.example.com", "http://api.example.com:443/", true));
  assert.ok(covers("http://api.example.com:8080", "http://api.example.com:8080/"));
  assert.ok(covers("http://api.example.com:8080", "https://api.example.com:8080/"));
  assert.ok(!covers("http://api.example.com", "http://other.example.com/"));
});

test("entries cover another one if they allow all that it does", () => {
  assert.ok(coversHost(["*.example.com"], "api.example.com"));
  assert.ok(!coversHost(["*.example.com"], "http://api.example.com"));
  assert.ok(coversHost(["*.example.com"], "http://api.example.com", true));
  assert.ok(!coversHost(["api.example.com"], "*.example.com"));
  assert.ok(coversHost(["http://api.example.com"], "api.example.com"));
});
