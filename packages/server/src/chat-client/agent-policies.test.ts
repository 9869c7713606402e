import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { allowsOrigin } from "../access/chat-client-gate.ts";
import { parseOriginSettings, parseRateLimit } from "./agent-policies.ts";

function allows(allowedOrigins: unknown, origin: string): boolean {
  const settings = parseOriginSettings(JSON.stringify({ allowedOrigins }));
  return allowsOrigin({ agentId: "", isOpen: true, ...settings }, origin);
}

test("an origin is allowed by its host and port, whatever the entry's scheme and path", () => {
  for (const entry of [
    "https://shop.example",
    "http://shop.example/chat?x",
    " https://SHOP.example ",
    "shop.example",
  ]) {
    assert.ok(allows([entry], "https://shop.example"), entry);
    assert.ok(!allows([entry], "https://shop.example:8443"), entry);
    assert.ok(!allows([entry], "https://evil-shop.example"), entry);
  }
  assert.ok(allows(["https://a.example", "http://localhost:8080"], "http://localhost:8080"));
  assert.ok(allows(["localhost:8080"], "http://localhost:8080"));
});

test("no entries allow every page; entries that are no address allow none", () => {
  for (const list of [[], [""], ["*"], undefined, "https://a.example", null])
    assert.ok(allows(list, "https://b.example"));
  for (const list of [["not an address"], [7], [{}], ["https://"]]) assert.ok(!allows(list, "https://b.example"));
  assert.ok(!allows(["https://a.example"], "null"));
});

test("a rate limit is in force when all of it is there and it is not switched off", () => {
  const parse = (rateLimit: unknown) => parseRateLimit(JSON.stringify({ rateLimit }));
  const limit = { limitMax: 5, limitDuration: 60, limitMsg: "Wait." };
  const parsed = { requests: 5, windowMs: 60_000, message: "Wait." };
  assert.deepEqual(parse(limit), parsed);
  assert.deepEqual(parse({ ...limit, status: true, limitMax: "5", limitDuration: "60" }), parsed);
  for (const off of [
    { status: false },
    { limitMax: 0 },
    { limitDuration: "" },
    { limitMsg: "" },
    { limitMax: -1 },
    { limitDuration: 1e300 },
  ]) {
    assert.equal(parse({ ...limit, ...off }), undefined);
  }
  for (const none of [undefined, null, [], "x", {}]) assert.equal(parse(none), undefined);
});

test("settings of any shape are read without an error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      parseOriginSettings(text);
      parseRateLimit(text);
    }),
  );
});
