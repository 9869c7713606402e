import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoaderView } from "../../../api/document-stores.ts";
import { draftKey, isComplete, newLoaderDraft, toLoaderConfig, toLoaderDraft, toLoaderForm } from "./loader-draft.ts";

const filesSchema = {
  type: "object",
  properties: {
    papers: { type: "array", widget: "file", items: { type: "string" } },
    pdfUsage: { type: "string", enum: ["perPage", "perFile"], default: "perPage" },
  },
  required: ["papers"],
};
const pageSchema = { type: "object", properties: { url: { type: "string" } }, required: ["url"] };
const component = (schema: object) => ({ name: "x", title: "X", summary: "", schema: schema as never });
const splitter = component({ type: "object", properties: {} });
const upload = { path: "a.md", file: new File(["a"], "a.md", { lastModified: 1 }) };

test("the files of a loader are found by what its schema says, whatever they are called", () => {
  const { uploadName, schema } = toLoaderForm(filesSchema);
  assert.equal(uploadName, "papers");
  assert.deepEqual(Object.keys(schema.properties as object), ["pdfUsage"]);
  assert.deepEqual(schema.required, []);
  assert.deepEqual(toLoaderForm(pageSchema), { uploadName: undefined, schema: pageSchema });
});

test("a loader of files is complete with a file, another one with its required fields", () => {
  const draft = newLoaderDraft("x");
  assert.equal(isComplete(draft, component(filesSchema), splitter), false);
  assert.equal(isComplete({ ...draft, added: [upload] }, component(filesSchema), splitter), true);
  assert.equal(isComplete(draft, component(pageSchema), splitter), false);
  assert.equal(isComplete({ ...draft, config: { url: "https://a.b" } }, component(pageSchema), splitter), true);
});

test("settings name the files that stay by their ids, and carry the new ones", () => {
  const files = [
    { id: "1", name: "one.md", size: 1 },
    { id: "2", name: "two.md", size: 1 },
  ];
  const stored = { type: "file", name: "Files", config: { papers: ["1", "2"] }, splitter: { name: "s", config: {} } };
  const draft = toLoaderDraft({ ...stored, files } as Partial<LoaderView> as LoaderView);
  const changed = { ...draft, kept: files.slice(1) };
  assert.deepEqual(toLoaderConfig(changed, "papers", ["data:,a"]), { papers: ["2", "data:,a"] });
  assert.notEqual(draftKey(draft), draftKey(changed));
  assert.notEqual(draftKey(draft), draftKey({ ...draft, added: [upload] }));
  assert.equal(draftKey({ ...draft, added: [upload] }), draftKey({ ...draft, added: [{ ...upload }] }));
});
