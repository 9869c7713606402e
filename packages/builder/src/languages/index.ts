import type { Messages } from "../texts/to-texts.ts";
import { wholeLanguages } from "./whole-languages.gen.ts";

/** How each language calls itself. A language other than English is offered when it has a file in `messages`. */
const names = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  pt: "Português",
  ja: "日本語",
  zh: "简体中文",
} as const;

/** How each says that some of its texts are still in English. */
const partlyNames: Readonly<Record<LanguageCode, string>> = {
  en: "English",
  de: "Deutsch (teilweise)",
  es: "Español (en parte)",
  fr: "Français (en partie)",
  pt: "Português (em parte)",
  ja: "日本語（一部英語）",
  zh: "简体中文（部分翻译）",
};

export type LanguageCode = keyof typeof names;

/** A file of `messages`. */
export type MessageModule = { default: Messages };

/**
 * What the server writes in English, in another language: what it describes by the English text, and its sentences by
 * their templates (docs/languages.md).
 */
export type DescribedTexts = {
  readonly texts: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, string>>;
};

/** A file of `messages/described`. */
export type DescribedModule = { default: DescribedTexts };

/** Modules by their path, as `import.meta.glob` gives them. */
type Modules<Module> = Readonly<Record<string, () => Promise<Module>>>;

const key = "weft.language";

let code: LanguageCode = "en";
let translation: Messages = {};
let offered: readonly LanguageCode[] = ["en"];
let described: Promise<DescribedTexts | undefined> | undefined;

/**
 * Loads the texts of the language that was chosen here, or else of the first of the browser's that there is, before any
 * module with texts is imported. Leaves everything in English when they cannot be loaded. `modules`: the messages of every
 * other language; `describedModules`: what the server describes, which loads on, because pages show it later.
 */
export async function startLanguage(
  modules: Modules<MessageModule>,
  describedModules: Modules<DescribedModule> = {},
): Promise<void> {
  const loaders = byLanguage(modules);
  offered = (Object.keys(names) as LanguageCode[]).filter((name) => name === "en" || loaders.has(name));
  const wanted = chosenLanguage() ?? browserLanguage();
  described = byLanguage(describedModules)
    .get(wanted)?.()
    .then(
      (module) => module.default,
      () => undefined,
    );
  const loaded = await loaders
    .get(wanted)?.()
    .catch(() => undefined);
  [code, translation] = loaded === undefined ? ["en", {}] : [wanted, loaded.default];
  if (loaded === undefined) described = undefined;
}

function byLanguage<Module>(modules: Modules<Module>): ReadonlyMap<string, () => Promise<Module>> {
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/, "");
  return new Map(Object.entries(modules).map(([path, load]) => [nameOf(path), load]));
}

/** The messages of the reader's language; of English none, for they are what the code falls back on. */
export function translatedMessages(): Messages {
  return translation;
}

/** What the server describes, in the reader's language. Undefined if it has none of it, or it is English. */
export function describedTexts(): Promise<DescribedTexts | undefined> | undefined {
  return described;
}

/** For `lang` and Intl: the reader's language. */
export function languageTag(): string {
  return code === "zh" ? "zh-Hans" : code;
}

/** A number with separators as the reader's language writes them. */
export function formatNumber(number: number): string {
  return number.toLocaleString(languageTag());
}

/** A number with exactly so many decimals, as the reader's language writes it. */
export function withDecimals(number: number, digits: number): string {
  return number.toLocaleString(languageTag(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** US dollars with at least and at most so many decimals, as the reader's language writes them. */
export function formatDollars(dollars: number, minimumFractionDigits: number, maximumFractionDigits: number): string {
  const style = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;
  return dollars.toLocaleString(languageTag(), { ...style, minimumFractionDigits, maximumFractionDigits });
}

/** Texts as one enumeration, as the reader's language writes it: of all, or of alternatives. */
export function formatList(texts: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  const style = type === "conjunction" ? "narrow" : "long";
  return new Intl.ListFormat(languageTag(), { type, style }).format(texts);
}

/** The languages that can be chosen, by how each calls itself; one that lacks texts says so. */
export function offeredLanguages(): readonly { code: LanguageCode; name: string }[] {
  return offered.map((code) => ({ code, name: (wholeLanguages.includes(code) ? names : partlyNames)[code] }));
}

/** The language that was chosen in this browser and is still offered. */
export function chosenLanguage(): LanguageCode | undefined {
  return toCodes([localStorage.getItem(key) ?? ""])[0];
}

/** Takes effect when the page is next loaded. Undefined: the browser's language. */
export function chooseLanguage(chosen: LanguageCode | undefined): void {
  if (chosen === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, chosen);
}

/** The browser's first language that is offered: `pt-BR` finds Portuguese. */
export function browserLanguage(): LanguageCode {
  return toCodes(navigator.languages.map((tag) => tag.toLowerCase().split("-")[0] ?? ""))[0] ?? "en";
}

function toCodes(texts: readonly string[]): LanguageCode[] {
  return texts.filter((text): text is LanguageCode => (offered as readonly string[]).includes(text));
}
