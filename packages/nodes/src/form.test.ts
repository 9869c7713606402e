import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import type { Json, JsonObject } from "@weft/schema";
import { type ReadForm, readForm, readFormText } from "./form.ts";
import { nodeRegistry } from "./registry.ts";
import { formOf } from "./start.ts";

function compile(config: object) {
  const flow = { weft: 1, nodes: [{ id: "start", type: "start", config }], edges: [] };
  return compileFlow(JSON.stringify(flow), nodeRegistry);
}

function read(fields: object[], given?: JsonObject): ReadForm {
  const flow = compile({ input: "form", form: { title: "Book", fields } });
  assert.deepEqual(flow.findings, []);
  const settings = formOf(flow);
  assert.ok(settings);
  return readForm(settings, given);
}

const readOne = (field: object, value: Json) => {
  const result = read([{ name: "x", ...field }], { x: value });
  return result.ok ? result.form.x : result.errors;
};
const problem = (message: string) => [{ path: "form.x", message }];

describe("form", () => {
  it("belongs to flows that begin with one", () => {
    assert.equal(formOf(compile({ form: { fields: [{ name: "x" }] } })), undefined);
    assert.equal(formOf(compile({ input: "form", form: { title: "Book" } }))?.title, "Book");
  });

  it("is filled in by a text with a line for each field, by names or labels", () => {
    const settings = formOf(
      compile({
        input: "form",
        form: {
          fields: [
            { name: "topic", label: "Subject" },
            { name: "age", type: "number" },
          ],
        },
      }),
    );
    assert.ok(settings);
    const text = "Hello,\nsubject: Re: a cat\r\nthat sleeps\n Age : 4\n";
    assert.deepEqual(readFormText(settings, text), { topic: "Re: a cat\r\nthat sleeps", age: "4" });
    assert.deepEqual(readForm(settings, readFormText(settings, "age: 4")), { ok: true, form: { age: 4 } });
    for (const other of ["", "Write a mail", " : x", "color: red"])
      assert.equal(readFormText(settings, other), undefined);
  });

  it("reads each kind of field, also from text", () => {
    assert.equal(readOne({ type: "string" }, "Ada"), "Ada");
    assert.equal(readOne({ type: "number" }, " 2.5 "), 2.5);
    assert.equal(readOne({ type: "number" }, 0), 0);
    assert.equal(readOne({ type: "boolean" }, "false"), false);
    assert.equal(readOne({ type: "boolean" }, true), true);
    assert.equal(readOne({ type: "options", options: ["a", "b"] }, "b"), "b");
  });

  it("says what does not fit, each with its path", () => {
    assert.deepEqual(readOne({ type: "string" }, 7), problem("Must be a text."));
    for (const value of ["many", " ", true, [1], {}])
      assert.deepEqual(readOne({ type: "number" }, value), problem("Must be a number."));
    for (const value of ["yes", 1, "TRUE"])
      assert.deepEqual(readOne({ type: "boolean" }, value), problem("Must be true or false."));
    for (const value of ["c", 1])
      assert.deepEqual(readOne({ type: "options", options: ["a", "b"] }, value), problem("Must be one of: a, b."));
    const fields = [
      { name: "a", required: true },
      { name: "b", type: "number" },
      { name: "c", required: true },
    ];
    assert.deepEqual(read(fields, { b: "x", c: "" }), {
      ok: false,
      errors: [
        { path: "form.a", message: "Required." },
        { path: "form.b", message: "Must be a number." },
        { path: "form.c", message: "Required." },
      ],
    });
  });

  it("fills in defaults, leaves out what is empty, and keeps what it does not know", () => {
    const fields = [
      { name: "n", type: "number", default: 3, required: true },
      { name: "b", type: "boolean", default: false },
      { name: "s" },
    ];
    assert.deepEqual(read(fields), { ok: true, form: { n: 3, b: false } });
    const given = { n: "", s: null, other: [1] };
    assert.deepEqual(read(fields, given), { ok: true, form: { n: 3, b: false, other: [1] } });
    assert.deepEqual(given, { n: "", s: null, other: [1] });
    const typo = read([{ name: "n", type: "number", default: "many" }]);
    assert.equal(typo.ok, false);
    for (const name of ["constructor", "toString"]) assert.deepEqual(read([{ name }]), { ok: true, form: {} });
  });

  it("refuses fields that cannot be", () => {
    for (const fields of [
      [{ name: "" }],
      [{ name: "__proto__" }],
      [{ name: "a", type: "date" }],
      [{ name: "a", x: 1 }],
    ]) {
      assert.equal(compile({ input: "form", form: { fields } }).findings[0]?.code, "node-config-invalid");
    }
  });
});
