// @process own: it changes the language of the page.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  chooseLanguage,
  createPlural,
  formatDollars,
  formatList,
  formatNumber,
  type LanguageModule,
  languageTag,
  localized,
  offeredLanguages,
  startLanguage,
  withDecimals,
} from "./index.ts";

const english = { save: "Save" };

const modules: Record<string, () => Promise<LanguageModule>> = {
  "./languages/de/index.ts": async () => ({ translation: { common: { save: "Speichern" } } }),
  "./languages/pt/index.ts": async () => ({ translation: { common: { save: "Salvar" } } }),
  "./languages/zh/index.ts": async () => ({ translation: { common: { save: "保存" } } }),
};

function prefer(...languages: string[]) {
  Object.defineProperty(navigator, "languages", { value: languages, configurable: true });
}

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
    assert.deepEqual([localized("common", english).save, languageTag()], [save, tag], languages.join());
  }
});

test("prefers what was chosen here, until the choice is withdrawn or no longer offered", async () => {
  prefer("pt-BR");
  chooseLanguage("de");
  await startLanguage(modules);
  assert.equal(localized("common", english).save, "Speichern");
  chooseLanguage("fr");
  await startLanguage(modules);
  assert.equal(localized("common", english).save, "Salvar");
  chooseLanguage("en");
  await startLanguage(modules);
  assert.equal(localized("common", english).save, "Save");
  chooseLanguage(undefined);
  await startLanguage(modules);
  assert.equal(localized("common", english).save, "Salvar");
});

test("stays in English when the texts do not load, and where an area has none", async () => {
  prefer("de");
  await startLanguage(modules);
  assert.equal(localized("shell", english).save, "Save");
  await startLanguage({ "./languages/de/index.ts": () => Promise.reject(new TypeError("Failed to fetch")) });
  assert.deepEqual(
    [localized("common", english).save, languageTag(), formatNumber(1_234.5)],
    ["Save", "en", "1,234.5"],
  );
});

test("offers English and what has a module, each by its own name", async () => {
  await startLanguage(modules);
  const names = offeredLanguages().map(({ name }) => name);
  assert.deepEqual(names, ["English", "Deutsch", "Português", "简体中文"]);
});

test("writes numbers and tells plurals apart as the language does", async () => {
  prefer("de");
  await startLanguage(modules);
  assert.deepEqual([formatNumber(1_234_567), withDecimals(0.5, 3)], ["1.234.567", "0,500"]);
  const forms = (code: "de" | "fr" | "ja") => [0, 1, 2].map((count) => createPlural(code)(count, "one", "other"));
  assert.deepEqual(forms("de"), ["other", "one", "other"]);
  assert.deepEqual(forms("fr"), ["one", "one", "other"]);
  assert.deepEqual(forms("ja"), ["other", "other", "other"]);
});

test("writes lists and dollars as the language does", async () => {
  const cases = [
    ["de", "a, b und c", "a, b oder c", "1.234,50 $"],
    ["ja", "a、b、c", "a、b、またはc", "$1,234.50"],
    ["en", "a, b, c", "a, b, or c", "$1,234.50"],
  ] as const;
  for (const [code, all, any, dollars] of cases) {
    chooseLanguage(code);
    await startLanguage({ [`./languages/${code}/index.ts`]: async () => ({ translation: {} }) });
    assert.deepEqual([formatList(["a", "b", "c"]), formatList(["a", "b", "c"], "disjunction")], [all, any]);
    // The space before the sign does not break.
    assert.equal(formatDollars(1_234.5, 2, 2).replace("\u00a0", " "), dollars);
    assert.deepEqual([formatList(["a"]), formatList([])], ["a", ""]);
  }
});
