// @process own: it changes the language of the page.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  chooseLanguage,
  describedTexts,
  formatDollars,
  formatList,
  formatNumber,
  languageTag,
  type MessageModule,
  offeredLanguages,
  startLanguage,
  translatedMessages,
  withDecimals,
} from "./index.ts";
import { wholeLanguages } from "./whole-languages.gen.ts";

const modules: Record<string, () => Promise<MessageModule>> = {
  "../messages/de.json": async () => ({ default: { save: "Speichern" } }),
  "../messages/pt.json": async () => ({ default: { save: "Salvar" } }),
  "../messages/zh.json": async () => ({ default: { save: "保存" } }),
};

function prefer(...languages: string[]) {
  Object.defineProperty(navigator, "languages", { value: languages, configurable: true });
}

const saveText = () => translatedMessages().save ?? "Save";

beforeEach(() => localStorage.clear());

test("takes the first of the browser's languages that there is", async () => {
  const cases: [languages: string[], save: string, tag: string][] = [
    [["pt-BR", "de"], "Salvar", "pt"],
    [["ZH-tw"], "保存", "zh-Hans"],
    [["nl-NL", "de-CH", "en"], "Speichern", "de"],
    [["en-GB", "de"], "Save", "en"],
    [["fr", "constructor"], "Save", "en"],
    [[], "Save", "en"],
  ];
  for (const [languages, save, tag] of cases) {
    prefer(...languages);
    await startLanguage(modules);
    assert.deepEqual([saveText(), languageTag()], [save, tag], languages.join());
  }
});

test("prefers what was chosen here, until the choice is withdrawn or no longer offered", async () => {
  prefer("pt-BR");
  chooseLanguage("de");
  await startLanguage(modules);
  assert.equal(saveText(), "Speichern");
  chooseLanguage("fr");
  await startLanguage(modules);
  assert.equal(saveText(), "Salvar");
  chooseLanguage("en");
  await startLanguage(modules);
  assert.equal(saveText(), "Save");
  chooseLanguage(undefined);
  await startLanguage(modules);
  assert.equal(saveText(), "Salvar");
});

test("stays in English when the texts do not load", async () => {
  prefer("de");
  await startLanguage({ "../messages/de.json": () => Promise.reject(new TypeError("Failed to fetch")) });
  assert.deepEqual([saveText(), languageTag(), formatNumber(1_234.5)], ["Save", "en", "1,234.5"]);
});

test("offers English and what has a module, each by its own name, and says which lacks texts", async () => {
  await startLanguage(modules);
  const names = new Map(offeredLanguages().map(({ code, name }) => [code, name]));
  assert.deepEqual([...names.keys()], ["en", "de", "pt", "zh"]);
  assert.deepEqual([names.get("en"), names.get("de")], ["English", "Deutsch"]);
  for (const [code, whole, partly] of [
    ["pt", "Português", "Português (em parte)"],
    ["zh", "简体中文", "简体中文（部分翻译）"],
  ] as const) {
    assert.equal(names.get(code), wholeLanguages.includes(code) ? whole : partly);
  }
});

test("what the server describes loads with the language and does not hold up the page", async () => {
  prefer("de");
  const texts = { texts: { Start: "Start" }, messages: {} };
  await startLanguage(modules, { "../messages/described/de.json": async () => ({ default: texts }) });
  assert.deepEqual(await describedTexts(), texts);
  await startLanguage(modules, { "../messages/described/de.json": () => Promise.reject(new TypeError()) });
  assert.equal(await describedTexts(), undefined);
  await startLanguage(modules, { "../messages/described/fr.json": async () => ({ default: texts }) });
  assert.equal(describedTexts(), undefined);
  await startLanguage(modules, { "../messages/described/de.json": () => new Promise(() => {}) });
  assert.equal(saveText(), "Speichern");
});

test("writes numbers as the language does", async () => {
  prefer("de");
  await startLanguage(modules);
  assert.deepEqual([formatNumber(1_234_567), withDecimals(0.5, 3)], ["1.234.567", "0,500"]);
});

test("writes lists and dollars as the language does", async () => {
  const cases = [
    ["de", "a, b und c", "a, b oder c", "1.234,50 $"],
    ["ja", "a、b、c", "a、b、またはc", "$1,234.50"],
    ["en", "a, b, c", "a, b, or c", "$1,234.50"],
  ] as const;
  for (const [code, all, any, dollars] of cases) {
    chooseLanguage(code);
    await startLanguage({ [`../messages/${code}.json`]: async () => ({ default: {} }) });
    assert.deepEqual([formatList(["a", "b", "c"]), formatList(["a", "b", "c"], "disjunction")], [all, any]);
    // The space before the sign does not break.
    assert.equal(formatDollars(1_234.5, 2, 2).replace("\u00a0", " "), dollars);
    assert.deepEqual([formatList(["a"]), formatList([])], ["a", ""]);
  }
});
