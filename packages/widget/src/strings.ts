import { english, type Texts } from "./texts/english.ts";
import { french } from "./texts/french.ts";
import { german } from "./texts/german.ts";
import { spanish } from "./texts/spanish.ts";

const languages = { en: english, de: german, fr: french, es: spanish } satisfies Record<string, Texts>;
type Language = keyof typeof languages;

/** The first of a visitor's languages that the chat speaks; English where it speaks none. `asked`: BCP 47 tags. */
export function chooseLanguage(asked: readonly string[]): Language {
  for (const tag of asked) {
    const [code = ""] = tag.toLowerCase().split("-", 1);
    if (Object.hasOwn(languages, code)) return code as Language;
  }
  return "en";
}

/** The visitor's language. */
export const language = chooseLanguage(navigator.languages);

/** Everything that the chat says by itself, in the visitor's language. */
export const strings: Texts = languages[language];
