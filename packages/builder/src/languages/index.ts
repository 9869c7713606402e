import type { Messages } from "../texts/to-texts.ts";

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

export type LanguageCode = keyof typeof names;

/** A file of `messages`. */
export type MessageModule = { default: Messages };

const key = "weft.language";

let code: LanguageCode = "en";
let translation: Messages = {};
let offered: readonly LanguageCode[] = ["en"];

/**
 * Loads the texts of the language that was chosen here, or else of the first of the browser's that there is, before any
 * module with texts is imported. Leaves everything in English when they cannot be loaded. `modules`: the messages of every
 * other language by their path, as `import.meta.glob` gives them.
 */
export async function startLanguage(modules: Record<string, () => Promise<MessageModule>>): Promise<void> {
  const loaders = new Map(
    Object.entries(modules).map(([path, load]) => [
      path
        .split("/")
        .at(-1)
        ?.replace(/\.json$/, ""),
      load,
    ]),
  );
  offered = (Object.keys(names) as LanguageCode[]).filter((name) => name === "en" || loaders.has(name));
  const wanted = chosenLanguage() ?? browserLanguage();
  const loaded = await loaders
    .get(wanted)?.()
    .catch(() => undefined);
  [code, translation] = loaded === undefined ? ["en", {}] : [wanted, loaded.default];
}

/** The messages of the reader's language; of English none, for they are what the code falls back on. */
export function translatedMessages(): Messages {
  return translation;
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

/** The languages that can be chosen, by how each calls itself. */
export function offeredLanguages(): readonly { code: LanguageCode; name: string }[] {
  return offered.map((code) => ({ code, name: names[code] }));
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
