import assert from "node:assert/strict";
import { test } from "node:test";
import { toTexts } from "./to-texts.ts";

type Say = (values: Record<string, string | number | boolean>) => string;

const english = {
  save: "Save",
  owner: "The server's operator",
  hint: "Write '{{' $vars.name '}}' here.",
  deleted: "“{name}” was deleted.",
  use: "Use '{{' {id} '}}'.",
  runs: "{count, plural, =0 {no runs} one {# run} other {# runs}}",
  origin: "{isOwn, select, true {your own} other {from {who}}}",
  score: "{score, number, ::.00}",
  groups: { edit: "Edit", kept: { one: "One" } },
};

function read(translation?: object, language = "en") {
  return toTexts({ english, translation: translation as typeof english, language }) as Record<
    keyof typeof english,
    never
  >;
}

const say = (text: unknown, values: Parameters<Say>[0]) => (text as Say)(values);

test("a message without values is a text, one with values a function of them", () => {
  const texts = read();
  assert.equal(texts.save, "Save");
  assert.equal(texts.owner, "The server's operator");
  assert.equal(texts.hint, "Write {{ $vars.name }} here.");
  assert.equal(say(texts.deleted, { name: "A <b>" }), "“A <b>” was deleted.");
  assert.equal(say(texts.use, { id: "llm_0" }), "Use {{ llm_0 }}.");
  assert.deepEqual(
    [0, 1, 2_000].map((count) => say(texts.runs, { count })),
    ["no runs", "1 run", "2,000 runs"],
  );
  assert.equal(say(texts.origin, { isOwn: true, who: "" }), "your own");
  assert.equal(say(texts.origin, { isOwn: false, who: "Ada" }), "from Ada");
});

test("a translation counts and writes numbers as its language does", () => {
  const texts = read({ runs: "{count, plural, one {# Lauf} other {# Läufe}}" }, "de");
  assert.deepEqual(
    [1, 2_000].map((count) => say(texts.runs, { count })),
    ["1 Lauf", "2.000 Läufe"],
  );
  assert.equal(say(read({ score: "{score, number, ::.00}" }, "de").score, { score: 0.5 }), "0,50");
});

test("English stands where a translation is missing, at any depth and of another shape", () => {
  const texts = read({ save: "Speichern", groups: { kept: "Behalten" }, deleted: {} }, "de");
  assert.equal(texts.save, "Speichern");
  assert.deepEqual(texts.groups, { edit: "Edit", kept: { one: "One" } });
  assert.equal(say(texts.deleted, { name: "A" }), "“A” was deleted.");
  assert.equal(say(texts.score, { score: 0.5 }), "0.50");
});
