import { type Catalogue, valuesOf } from "./read-messages.ts";

/** What a language lacks: the keys of texts that it shows in English. */
export function findMissing(english: Catalogue, translated: Catalogue): string[] {
  return [...english.keys()].filter((key) => !translated.has(key));
}

/** Languages whose nouns have a plural. */
const pluralised = /^(de|es|fr|pt)$/;

/** What a text keeps in every language: templates, code, addresses, names of settings and of keys in code. */
const kept =
  /'\{\{'.*?'\}\}'|`[^`]+`|https?:\/\/\S+?(?=[.,]?(?:\s|$))|\$[a-z]\w*(?:\.\w+)*|\b[A-Z]+_[A-Z_]+(?:=\w+)?|\b[a-z]+:[a-z]+\b/g;

/** Three words in a row: fewer may be the same in two languages. */
const sentence = /(\p{L}+[ ,]+){2}\p{L}/u;

/** One sentence for each text of a language that English lacks or that loses what the English text says. */
export function findFaults(language: string, english: Catalogue, translated: Catalogue): string[] {
  return [...translated].flatMap(([key, text]) => {
    const original = english.get(key);
    if (original === undefined) return [`${key}: English has no such text`];
    if (text.trim() === "" && original.trim() !== "") return [`${key}: is empty`];
    if (text === original && sentence.test(text)) return [`${key}: is the English text; leave it out`];
    return [...differences(original, text), ...lostPlurals(language, original, text)].map(
      (fault) => `${key}: ${fault}`,
    );
  });
}

function differences(english: string, translated: string): string[] {
  const wanted = valuesOf(english);
  const used = safely(() => valuesOf(translated));
  if (used === undefined) return ["is no ICU message"];
  const extra = [...used.keys()].filter((name) => !wanted.has(name));
  const lost = [...wanted].filter(([name, kind]) => kind !== "boolean" && !used.has(name) && isShown(english, name));
  const parts = [...english.matchAll(kept)].map(([part]) => part).filter((part) => !translated.includes(part));
  return [
    ...extra.map((name) => `takes {${name}}, which English does not`),
    ...lost.map(([name]) => `loses {${name}}`),
    ...parts.map((part) => `loses ${part}`),
  ];
}

/** Whether a reader sees the value, and not only what is chosen by it. */
function isShown(message: string, name: string): boolean {
  return new RegExp(`\\{${name}(\\}|, number)|\\{${name}, plural,.*#`).test(message);
}

function lostPlurals(language: string, english: string, translated: string): string[] {
  if (!pluralised.test(language)) return [];
  const chosenBy = [...english.matchAll(/\{(\w+), plural,[^}]*?one \{/g)].map(([, name]) => name);
  return chosenBy
    .filter((name) => !translated.includes(`{${name}, plural,`))
    .map((name) => `has one form for every {${name}}`);
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
