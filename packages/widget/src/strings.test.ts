import assert from "node:assert/strict";
import { it } from "node:test";
import { chooseLanguage } from "./strings.ts";
import { english } from "./texts/english.ts";
import { french } from "./texts/french.ts";
import { german } from "./texts/german.ts";
import { spanish } from "./texts/spanish.ts";

it("speaks the first of the visitor's languages that it knows", () => {
  assert.equal(chooseLanguage(["de-AT", "en"]), "de");
  assert.equal(chooseLanguage(["pt-BR", "es-MX", "en"]), "es");
  assert.equal(chooseLanguage(["FR"]), "fr");
  assert.equal(chooseLanguage(["en-GB", "de"]), "en");
  for (const none of [[], ["ja"], ["__proto__"], [""]]) assert.equal(chooseLanguage(none), "en");
});

it("says every value in each language", () => {
  const say = (text: unknown) =>
    typeof text === "function" ? String(text("VALUE-1", "VALUE-2")) : JSON.stringify(text);
  for (const texts of [german, french, spanish]) {
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    for (const [name, text] of Object.entries(texts)) {
      const original = say(english[name as keyof typeof english]);
      assert.ok(say(text).length > 0);
      assert.deepEqual(say(text).match(/VALUE-\d/g), original.match(/VALUE-\d/g), name);
    }
  }
});
