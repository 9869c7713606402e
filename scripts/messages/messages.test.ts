import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findFaults, findMissing } from "./find-gaps.ts";
import { readCatalogues, toCatalogue, valuesOf } from "./read-messages.ts";
import { toValueTypes } from "./to-value-types.ts";

const { en: english = new Map<string, string>(), ...others } = Object.fromEntries(readCatalogues());

test("the values of the texts are those of messages/en.json: ./weft messages writes them", () => {
  const file = new URL("../../packages/builder/src/texts/message-values.gen.ts", import.meta.url);
  assert.equal(readFileSync(file, "utf8"), toValueTypes(english));
});

for (const [language, translated] of Object.entries(others)) {
  test(`${language} keeps the values, plurals, names and code of English`, () => {
    assert.deepEqual(findFaults(language, english, translated), []);
  });
}

const texts = toCatalogue({
  save: "Save",
  hint: "Set ALLOW_PUBLIC_FLOWS=true and read '{{' $vars.name '}}'.",
  steps: "{count, plural, one {# step} other {# steps}}",
  list: { opened: "{name} is open to {users, number} users" },
});

const german = {
  save: "Speichern",
  hint: "ALLOW_PUBLIC_FLOWS=true setzen und '{{' $vars.name '}}' lesen.",
  steps: "{count, plural, one {# Schritt} other {# Schritte}}",
  list: { opened: "{name} ist für {users, number} Personen offen" },
};

test("a translation that says the same has no faults, and lacks what it does not have", () => {
  assert.deepEqual(findFaults("de", texts, toCatalogue(german)), []);
  assert.deepEqual(findMissing(texts, toCatalogue(german)), []);
  const { save: _, list: __, ...part } = german;
  assert.deepEqual(findMissing(texts, toCatalogue(part)), ["save", "list.opened"]);
});

for (const [fault, change] of [
  ["more: English has no such text", { more: "Mehr" }],
  ["save: is empty", { save: " " }],
  ["list.opened: is the English text; leave it out", { list: { opened: "{name} is open to {users, number} users" } }],
  ["save: takes {name}, which English does not", { save: "{name} speichern" }],
  ["steps: is no ICU message", { steps: "{count, plural, one {# Schritt}}" }],
  ["steps: has one form for every {count}", { steps: "{count, number} Schritte" }],
  ["hint: loses '{{' $vars.name '}}'", { hint: "ALLOW_PUBLIC_FLOWS=true setzen und $vars.name lesen." }],
  ["hint: loses ALLOW_PUBLIC_FLOWS=true", { hint: "ALLOW setzen und '{{' $vars.name '}}' lesen." }],
  ["list.opened: loses {name}", { list: { opened: "Offen für {users, number} Personen" } }],
] as const) {
  test(`finds “${fault}”`, () => {
    const found = findFaults("de", texts, toCatalogue({ ...german, ...change }));
    assert.ok(found.includes(fault), JSON.stringify(found));
  });
}

test("Japanese has one form for every number", () => {
  const japanese = toCatalogue({ steps: "ステップ{count, number}個" });
  assert.deepEqual(findFaults("ja", texts, japanese), []);
});

test("the kind of a value is what the message does with it", () => {
  const kinds = valuesOf(
    "{name}: {count, plural, one {# run of {who}} other {{count, number}}} {isOwn, select, true {a} other {b}}",
  );
  assert.deepEqual(Object.fromEntries(kinds), {
    name: "string | number",
    count: "number",
    who: "string | number",
    isOwn: "boolean",
  });
});

test("a list is no text", () => {
  assert.throws(() => toCatalogue({ rows: ["a"] }), /^TypeError: rows: must be a text or an object of texts$/);
});
