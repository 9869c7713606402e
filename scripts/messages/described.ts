import { readdirSync, readFileSync } from "node:fs";
import type { DescribedTexts as Translation } from "../../packages/builder/src/languages/index.ts";
import { type DescribedTexts, readDescribed } from "./read-described.ts";
import { readSentences } from "./read-sentences.ts";

/**
 * What the server writes in English and pages show: texts that describe what it offers, each with the components that have
 * it, and sentences with their values as `{name}`.
 */
export type Described = { texts: DescribedTexts; sentences: ReadonlySet<string> };

const folder = new URL("../../packages/builder/messages/described/", import.meta.url);

/** The generated list of all of them, in the order in which they were found. */
export const listFile = new URL("english.gen.json", folder);

/** Where a word stands that fills a place in a sentence. */
const inSentences = "sentences";

export async function findDescribed(): Promise<Described> {
  const { sentences, words } = readSentences();
  const texts = new Map(await readDescribed());
  for (const word of words) texts.set(word, new Set([...(texts.get(word) ?? []), inSentences]));
  return { texts, sentences: new Set([...sentences].filter((sentence) => !texts.has(sentence))) };
}

/** A few components are enough to know what a text is about. */
const shownComponents = 4;

/** The content of the list. */
export function toList({ texts, sentences }: Described): string {
  const found = [...texts].map(([text, components]) => [text, [...components].slice(0, shownComponents).join(", ")]);
  return `${JSON.stringify({ texts: Object.fromEntries(found), messages: [...sentences] }, null, 2)}\n`;
}

/** The translations of every language that has some, by its code. */
export function readTranslations(): ReadonlyMap<string, Translation> {
  const files = readdirSync(folder).filter((file) => /^[a-z]+\.json$/.test(file));
  return new Map(
    files.map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(new URL(file, folder), "utf8"))]),
  );
}

/** What a language shows in English. A text may be translated for each of its components instead of for all. */
export function findUntranslated({ texts, sentences }: Described, translation: Translation | undefined): string[] {
  const { texts: translated = {}, messages = {} } = translation ?? {};
  const isTranslated = (text: string, components: ReadonlySet<string>) =>
    Object.hasOwn(translated, text) || [...components].every((one) => Object.hasOwn(translated, `${text} @${one}`));
  return [
    ...[...texts].filter(([text, components]) => !isTranslated(text, components)).map(([text]) => text),
    ...[...sentences].filter((sentence) => !Object.hasOwn(messages, sentence)),
  ];
}

/** What a translation keeps: values, templates, code, addresses, settings, names of files and of headers. */
const kept =
  /\{\{.*?\}\}|\{\w*\}|`[^`]+`|<\w+>|https?:\/\/[^\s"]+?(?=[.,:]?(?:\s|$))|\$[a-z]\w*(?:\.\w+)*|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+:[a-z]+\b|\b[a-z]+[A-Z]\w+\b|\b[\w-]+\.(?:json|txt|ai)\b|\*\.\w+/g;

/** One sentence for each translation of something that English lacks, and for each that loses what English says. */
export function findDescribedFaults({ texts, sentences }: Described, translation: Translation): string[] {
  const component = / @([\w.-]+)$/;
  const unknown = Object.keys(translation.texts).filter((key) => {
    const components = texts.get(key) ?? texts.get(key.replace(component, ""));
    const [, named] = component.exec(key) ?? [];
    return components === undefined || (!texts.has(key) && named !== undefined && !components.has(named));
  });
  const stale = [...unknown, ...Object.keys(translation.messages).filter((sentence) => !sentences.has(sentence))];
  const pairs = [
    ...Object.entries(translation.texts).map(([key, text]) => [key.replace(component, ""), text] as const),
    ...Object.entries(translation.messages),
  ];
  return [
    ...stale.map((key) => `${JSON.stringify(key)}: English has no such text`),
    ...pairs.flatMap(([english, text]) =>
      differences(english, text).map((fault) => `${JSON.stringify(english)}: ${fault}`),
    ),
  ];
}

function differences(english: string, text: string): string[] {
  if (text.trim() === "") return ["is empty"];
  const wanted = partsOf(english);
  const used = partsOf(text);
  const values = [...used].filter((part) => /^\{\w+\}$/.test(part) && !wanted.has(part));
  return [
    ...[...wanted].filter((part) => !text.includes(part)).map((part) => `loses ${part}`),
    ...values.map((part) => `takes ${part}, which English does not`),
  ];
}

function partsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(kept)].map(([part]) => part));
}
