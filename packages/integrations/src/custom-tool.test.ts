import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import type { StoredTool } from "./custom-tool/create-custom-tool.ts";
import { type Answer, sendJson, startBench } from "./testing/bench.ts";

const list = (...entries: Json[]) => JSON.stringify(entries);

/** A bench with one stored tool, which `run` calls as an agent does. */
async function benchWith(t: TestContext, tool: Partial<StoredTool>, answer?: Answer) {
  const bench = await startBench(t, answer);
  bench.storedTools.set("t1", { name: "My tool!", description: "Does it.", schema: null, func: "return 1", ...tool });
  const config = { toolId: "t1" };
  return {
    ...bench,
    run: (args: JsonObject = {}, more: JsonObject = {}) => bench.call("custom-tool", { ...config, ...more }, args),
    async built(more: JsonObject = {}) {
      const [built] = await bench.build("custom-tool", { ...config, ...more });
      assert.ok(built);
      return built;
    },
  };
}

const fails = { id: 0, property: "fails", type: "boolean", required: true };

test("its result is the agent's answer where that is asked for, but not when it fails", async (t) => {
  const { run } = await benchWith(t, { func: 'if ($fails) throw new Error("no"); return "done"', schema: list(fails) });
  const [direct, plain] = [await run({ fails: false }, { returnDirect: true }), await run({ fails: false })];
  assert.deepEqual([direct.content, direct.returnDirect], ["done", true]);
  assert.deepEqual([plain.content, plain.returnDirect], ["done", undefined]);
  const failed = await run({ fails: true }, { returnDirect: true });
  assert.deepEqual([failed.isError, failed.returnDirect], [true, undefined]);
});

test("its code may use the libraries that existing tools require", async (t) => {
  const func = `
    const axios = require("axios");
    const _ = require("lodash");
    const { data } = await axios.post($base + "/rows", { day: require("moment").utc(0).format("YYYY") });
    return _.map(data.rows, "id").join();`;
  const schema = list({ id: 0, property: "base", type: "string", required: true });
  const { run, base, received } = await benchWith(t, { schema, func }, (_request, response) =>
    sendJson(response, 200, { rows: [{ id: 1 }, { id: 2 }] }),
  );
  const result = await run({ base });
  assert.deepEqual([result.content, result.isError], ["1,2", undefined]);
  assert.equal(received[0]?.body, '{"day":"1970"}');
});

test("the list form: every type, required or not, as the model sees it", async (t) => {
  const schema = list(
    { id: 0, property: "city", type: "string", description: "Name", required: true },
    { id: 1, property: "days", type: "Number", description: "" },
    { id: 2, property: "hot", type: "boolean", required: false },
    { id: 3, property: "from", type: "date", description: "First day.", required: true },
    { id: 4, property: "extra", type: "object" },
    { id: 5, property: "tags", type: "array" },
    { id: 6, property: "größe", type: "integer" },
  );
  const code = "return [$city, $days, $hot, $from, $extra, $tags, $größe]";
  const { built, run } = await benchWith(t, { schema, func: code });
  const tool = await built();
  assert.deepEqual([tool.name, tool.description, tool.kind, tool.effect], ["My_tool", "Does it.", "write", "write"]);
  assert.deepEqual(tool.parameters, {
    type: "object",
    properties: {
      city: { type: "string", description: "Name" },
      days: { type: "number" },
      hot: { type: "boolean" },
      from: { type: "string", description: "First day. An ISO 8601 date or date-time." },
      extra: { type: "object" },
      tags: { type: "array", items: {} },
      gr_e: { type: "integer" },
    },
    required: ["city", "from"],
    additionalProperties: false,
  });
  const args = { city: "Ulm", days: 2, hot: false, from: "2026-01-01", extra: { a: 1 }, tags: [1, "x"], gr_e: 3 };
  assert.equal((await run(args)).content, JSON.stringify(Object.values(args)));
  const least = await run({ city: "Ulm", from: "2026-01-01" });
  assert.equal(least.content, '["Ulm",null,null,"2026-01-01",null,null,null]');
});

test("arguments that do not fit never reach the code", async (t) => {
  const schema = list({ property: "city", type: "string", required: true });
  const { run } = await benchWith(t, { schema, func: "throw new Error('reached')" });
  for (const [args, message] of [
    [{}, /city/],
    [{ city: 5 }, /city: .*"string"/],
    [{ city: "Ulm", town: "Ulm" }, /town: No such parameter/],
  ] as [JsonObject, RegExp][]) {
    const { content, isError } = await run(args);
    assert.equal(isError, true);
    assert.match(content, message);
  }
});

test("the JSON Schema form: references, nesting and enums", async (t) => {
  const schema = JSON.stringify({
    $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
    type: "object",
    properties: { place: { $ref: "#/$defs/place" }, unit: { enum: ["C", "F"], default: "C" } },
    required: ["place"],
  });
  const { built, run } = await benchWith(t, { schema, func: "return $place.city + ($unit ?? '?')" });
  assert.ok(!JSON.stringify((await built()).parameters).includes("$ref"));
  assert.equal((await run({ place: { city: "Ulm" }, unit: "F" })).content, "UlmF");
  assert.equal((await run({ place: { city: "Ulm" } })).content, "Ulm?");
  assert.match((await run({ place: {} })).content, /place: .*city/);
  assert.match((await run({ place: { city: "Ulm" }, unit: "K" })).content, /unit/);
});

test("an open JSON Schema lets through what it does not name", async (t) => {
  const { run } = await benchWith(t, { schema: '{"type":"object"}', func: "return $anything" });
  assert.equal((await run({ anything: "x", vars: 1, __proto__x: 1 })).content, "x");
});

test("without a schema a tool takes nothing", async (t) => {
  for (const schema of [null, "", " ", "[]", "{}"]) {
    const { run } = await benchWith(t, { schema });
    assert.equal((await run()).content, "1");
    assert.match((await run({ a: 1 })).content, /a: No such parameter/);
  }
});

test("the code reads $vars and $flow, and calls fetch through the platform", async (t) => {
  const code = `
    const response = await fetch($base + "/things", { method: "POST", body: JSON.stringify($vars) });
    return { status: response.status, body: await response.json(), chat: $flow.chatId };`;
  const schema = list({ property: "base", required: true });
  const answer: Answer = (_request, response) => sendJson(response, 201, { made: true });
  const { run, base, received } = await benchWith(t, { schema, func: code }, answer);
  const { content, isError } = await run({ base });
  assert.equal(isError, undefined);
  assert.deepEqual(JSON.parse(content), { status: 201, body: { made: true }, chat: "chat-1" });
  assert.equal(received[0]?.body, '{"team":"blue"}');
});

test("results are text: as they are, as JSON, or a sentence for nothing; the rest is cut", async (t) => {
  const results: [string, string][] = [
    ["return 'plain'", "plain"],
    ["return 12.5", "12.5"],
    ["return { a: [1, null] }", '{"a":[1,null]}'],
    [
      "",
      "My tool! has no code yet. Its author has to write the body of a JavaScript function, for example: return $a + $b;",
    ],
    ["console.log(1)", "The tool is done and returned nothing."],
  ];
  for (const [func, content] of results) {
    const { run } = await benchWith(t, { func });
    assert.equal((await run()).content, content);
  }
  const { run } = await benchWith(t, { func: "return 'x'.repeat(50000)" });
  assert.match((await run({}, { maxCharacters: 10 })).content, /^x{10}\n\[Cut here/);
  assert.match((await run()).content, /^x{20000}\n\[Cut here/);
});

test("an exception is a result that the model can act on", async (t) => {
  const failures: [string, RegExp][] = [
    ["throw new RangeError('Too far: send a smaller number.')", /^My tool! failed: RangeError: Too far/],
    ["return nowhere.x", /^My tool! failed: ReferenceError: /],
    ["JSON.parse('{')", /^My tool! failed: SyntaxError: /],
    ["while (true);", /^My tool! failed: TimeoutError: The code did not finish within 100 ms/],
  ];
  for (const [func, message] of failures) {
    const { run } = await benchWith(t, { func });
    const { content, isError } = await run({}, func.startsWith("while") ? { timeoutMs: 100 } : {});
    assert.equal(isError, true);
    assert.match(content, message);
  }
});

test("a description in place of code is refused in words", async (t) => {
  const prose = "This tool returns the weather of a city.";
  for (const func of [prose, "return )(", "return } async () => {"]) {
    const { run } = await benchWith(t, { func });
    const { content, isError } = await run();
    assert.equal(isError, true);
    assert.match(content, /^My tool! describes what it does instead of doing it \(.+\)\. Its author has to write/);
  }
  const { run } = await benchWith(t, { func: null });
  assert.match((await run()).content, /has no code yet/);
});

test("traces have the time and the console, within bounds", async (t) => {
  const { run } = await benchWith(t, { func: "console.log('seen', 1); console.log('y'.repeat(9000)); return 1" });
  const { details } = await run();
  assert.equal(typeof details?.durationMs, "number");
  assert.match(String(details?.log), /^seen 1\ny+$/);
  assert.equal(String(details?.log).length, 4_000);
});

test("an agent may call it by another name and description", async (t) => {
  const { built } = await benchWith(t, { name: "工具", description: " " });
  const plain = await built();
  assert.deepEqual([plain.name, plain.description], ["custom_tool", "Calls 工具."]);
  const named = await built({ name: "get weather", description: "Weather." });
  assert.deepEqual([named.name, named.description], ["get_weather", "Weather."]);
  const long = await built({ name: "x".repeat(100) });
  assert.equal(long.name.length, 64);
});

test("a tool that makes no sense is refused when it is built, in words", async (t) => {
  const refusals: [string, RegExp][] = [
    ["{", /its schema is not valid JSON/],
    ["5", /must be a JSON Schema of an object, or a list/],
    ['{"type":"string"}', /must be a JSON Schema of an object/],
    ['{"city":{"type":"string"}}', /must be a JSON Schema of an object/],
    ['{"type":"object","properties":{"a":{"$ref":"#/$defs/gone"}}}', /refers to #\/\$defs\/gone/],
    [list({ type: "string" }), /schema\.0\.property/],
    [list({ property: "a" }, { property: "b", type: "colour" }), /schema\.1\.type: must be one of string, number/],
    [list("city"), /schema\.0/],
    [list({ property: "a" }, { property: "a" }), /two entries for a/],
    [
      JSON.stringify(Array.from({ length: 1_001 }, (_, index) => ({ property: `p${index}` }))),
      /more than 1000 entries/,
    ],
    [list({ property: "vars" }), /would hide the built-in \$vars/],
    ['{"type":"object","properties":{"flow":{}}}', /would hide the built-in \$flow/],
    [`{"a":${"[".repeat(300)}${"]".repeat(300)}}`, /nested more than 200/],
  ];
  for (const [schema, message] of refusals) {
    const { built } = await benchWith(t, { schema });
    await assert.rejects(built(), { code: "tool-invalid", message }, schema);
  }
  const bench = await startBench(t);
  await assert.rejects(bench.build("custom-tool", { toolId: "gone" }), {
    code: "tool-invalid",
    message: /was deleted/,
  });
  await assert.rejects(bench.build("custom-tool", {}), { code: "tool-invalid", message: /toolId/ });
});

test("a cancelled run ends the code", async (t) => {
  const bench = await benchWith(t, { func: "while (true);" });
  const controller = new AbortController();
  const tool = await bench.built();
  const calling = tool.call({}, bench.context({ signal: controller.signal }));
  const reason = new Error("cancelled");
  controller.abort(reason);
  await assert.rejects(calling, reason);
});

test("several stored tools, or all of them, are one reference", async (t) => {
  const bench = await startBench(t);
  const stored = { description: "Does it.", schema: null };
  bench.storedTools.set("a", { ...stored, name: "add", func: "return 'added'" });
  bench.storedTools.set("b", { ...stored, name: "add", func: "return 'added, too'" });
  bench.storedTools.set("c", { ...stored, name: "drop", func: "return 'dropped'" });
  const names = async (config: JsonObject) => (await bench.build("custom-tools", config)).map(({ name }) => name);
  assert.deepEqual(await names({}), ["add", "add_2", "drop"]);
  assert.deepEqual(await names({ toolIds: ["c", "a"] }), ["drop", "add"]);
  assert.deepEqual(await names({ toolIds: [] }), []);
  await assert.rejects(names({ toolIds: ["gone"] }), { code: "tool-invalid", message: /deleted/ });
});
