import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import { loaderIdentity, normaliseUrl, parseComponent, parseMetadata, parseRecordManager } from "./index.ts";

const refused = (parse: () => unknown, reason: RegExp) =>
  assert.throws(parse, (error) => {
    assert.ok(error instanceof WeftError && error.code === "parameters-invalid", String(error));
    return reason.test(error.message);
  });

test("a component comes as an object, as JSON text, or as its name", () => {
  const expected = { name: "plainText", config: { text: "x" } };
  assert.deepEqual(parseComponent("loader", expected), expected);
  assert.deepEqual(parseComponent("loader", JSON.stringify(expected)), expected);
  assert.deepEqual(parseComponent("loader", { name: "plainText", config: '{ "text": "x" }' }), expected);
  assert.deepEqual(parseComponent("splitter", "token"), { name: "token", config: {} });
  for (const absent of [undefined, null, "", {}, "{}"]) assert.equal(parseComponent("loader", absent), undefined);
});

test("a component's credential stands under the names of existing clients, too", () => {
  for (const key of ["credential", "FLOWISE_CREDENTIAL_ID", "credentialId"]) {
    assert.deepEqual(parseComponent("embedding", { name: "openai", config: { [key]: " c1 ", model: "m" } }), {
      name: "openai",
      config: { model: "m" },
      credential: "c1",
    });
  }
  assert.deepEqual(parseComponent("embedding", { name: "openai", config: { credential: "" } }), {
    name: "openai",
    config: {},
  });
});

test("a component that is none is refused with an example", () => {
  refused(
    () => parseComponent("loader", { config: { text: "x" } }),
    /loader must be an object with a name and a config, for example/,
  );
  refused(() => parseComponent("loader", { name: 7 }), /for example/);
  refused(() => parseComponent("vectorStore", [1]), /vectorStore must be a JSON object/);
  refused(() => parseComponent("vectorStore", "{"), /vectorStore must be a JSON object/);
  refused(() => parseComponent("splitter", { name: "token", config: "[]" }), /splitter\.config must be a JSON object/);
});

test("the record manager is on and incremental unless it says otherwise", () => {
  const standard = { isOn: true, cleanup: "incremental", sourceIdKey: "source" };
  assert.deepEqual(parseRecordManager(undefined), standard);
  assert.deepEqual(
    parseRecordManager({ name: "SQLiteRecordManager", config: { tableName: "x", cleanup: "" } }),
    standard,
  );
  assert.deepEqual(
    parseRecordManager('{ "name": "postgresRecordManager", "config": { "cleanup": "full", "sourceIdKey": "url" } }'),
    { isOn: true, cleanup: "full", sourceIdKey: "url" },
  );
  assert.deepEqual(parseRecordManager({}), standard);
  const { isOn, cleanup } = parseRecordManager({ name: "none", config: { cleanup: "full" } });
  assert.deepEqual([isOn, cleanup], [false, "none"]);
  refused(() => parseRecordManager({ name: "redis" }), /No record manager is called "redis"\. Use one of: built-in/);
  refused(() => parseRecordManager({ name: "built-in", config: { cleanup: "all" } }), /config\.cleanup/);
});

test("metadata comes as form text", () => {
  assert.deepEqual(parseMetadata('{ "a": 1 }'), { a: 1 });
  assert.deepEqual(parseMetadata(undefined), {});
  refused(() => parseMetadata("a=1"), /metadata must be a JSON object/);
});

test("a loader is the same for every spelling of its address", () => {
  const spellings = ["https://A.example:443", "https://a.example/", " https://me:pw@a.example/x/..#top "];
  assert.equal(new Set(spellings.map((source) => loaderIdentity("web-page", source))).size, 1);
  assert.notEqual(loaderIdentity("web-page", "https://a.example/?a"), loaderIdentity("web-page", "https://a.example/"));
  assert.notEqual(loaderIdentity("site-crawl", "https://a.example"), loaderIdentity("web-page", "https://a.example"));
  assert.equal(loaderIdentity("file", " u\u0308.txt"), loaderIdentity("file", "ü.txt"));
  assert.equal(normaliseUrl("file:///etc/passwd"), undefined);
});
