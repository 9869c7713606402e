/** How each language calls itself. English is in the sources; another is offered when it has a folder here. */
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

/** What `languages/<code>/index.ts` exports. */
export type LanguageModule = { translation: Texts };

/** The texts of each area, in whatever shape the area has. */
type Texts = Readonly<Record<string, unknown>>;

/** The texts of `T` in another language: the same keys, and functions of the same parameters. */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Text
    ? (...values: Values) => Translation<Text>
    : { readonly [Key in keyof T]: Translation<T[Key]> };

const key = "weft.language";

let code: LanguageCode = "en";
let translation: Texts = {};
let offered: readonly LanguageCode[] = ["en"];

/**
 * Loads the texts of the language that was chosen here, or else of the first of the browser's that there is, before any
 * module with texts is imported. Leaves everything in English when they cannot be loaded. `modules`: every language by its
 * path, as `import.meta.glob` gives them.
 */
export async function startLanguage(modules: Record<string, () => Promise<LanguageModule>>): Promise<void> {
  const loaders = new Map(Object.entries(modules).map(([path, load]) => [path.split("/").at(-2), load]));
  offered = (Object.keys(names) as LanguageCode[]).filter((name) => name === "en" || loaders.has(name));
  const wanted = chosenLanguage() ?? browserLanguage();
  const loaded = await loaders
    .get(wanted)?.()
    .catch(() => undefined);
  [code, translation] = loaded === undefined ? ["en", {}] : [wanted, loaded.translation];
}

/** The texts of an area in the reader's language. `english` has the keys that every translation has. */
export function localized<const T>(area: string, english: T): T {
  return (translation[area] ?? english) as T;
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

/** Picks the form of a word that goes with a number: `one` and `other` as the language tells them apart. */
export function createPlural(language: LanguageCode): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language);
  return (count, one, other) => (rules.select(count) === "one" ? one : other);
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
