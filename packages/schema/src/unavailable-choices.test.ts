import assert from "node:assert/strict";
import { test } from "node:test";
import { withUnavailable } from "./unavailable-choices.ts";

const field = { type: "string", enum: ["none", "own", "hosted"], needs: { own: "OWN_DIR", hosted: "HOSTED_URL" } };
const form = { type: "object", properties: { needs: { type: "object", properties: { kind: field } } } };

test("choices whose setting is missing are marked, wherever they are, and stay in the enum", () => {
  const marked = (settings: string[]) => {
    const schema = withUnavailable(form, new Set(settings)) as unknown as typeof form;
    return schema.properties.needs.properties.kind;
  };
  assert.deepEqual(marked([]), { ...field, unavailable: ["own", "hosted"] });
  assert.deepEqual(marked(["OWN_DIR"]), { ...field, unavailable: ["hosted"] });
  assert.deepEqual(marked(["OWN_DIR", "HOSTED_URL"]), field);
});

test("the same schema and settings are marked once", () => {
  const settings = new Set<string>();
  assert.equal(withUnavailable(form, settings), withUnavailable(form, settings));
});
