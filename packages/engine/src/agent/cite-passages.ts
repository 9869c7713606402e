import { citationNumber, type Document, toJsonObject, withoutCitation, withoutNotes } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";
import type { ModelMessage } from "../ports/chat-model.ts";
import type { ToolOutcome } from "./agent-loop.ts";
import { withText } from "./mark-data.ts";

/** Passages that a model can cite when it is first asked. */
export type Citable = {
  /** The highest passage number used in the run so far; 0 for none. */
  after: number;
  /** The passages in its messages, with their numbers. */
  documents: readonly Document[];
  /** The message texts that contain them. */
  texts: readonly string[];
};

/**
 * Numbers the passages that earlier steps brought and that appear in the node's messages, in the order of the steps.
 * `citable` is absent if there are none and the model cannot search for any.
 */
export function citePassages(
  context: Pick<NodeContext, "citable">,
  messages: readonly ModelMessage[],
  { maySearch }: { maySearch: boolean },
): { messages: readonly ModelMessage[]; citable?: Citable } {
  const { after, brought } = context.citable();
  let documents: Document[] = [];
  let shown = [...messages];
  const texts: string[] = [];
  for (const { text, sourceDocuments } of brought) {
    if (!shown.some((message) => holds(message, text))) continue;
    const numbered = numberPassages(sourceDocuments, documents, after);
    const told = toNumberedText(numbered);
    shown = shown.map((message) => withText(message, (given) => given.split(text).join(told)));
    documents = [...documents, ...numbered];
    texts.push(told);
  }
  if (documents.length === 0 && !maySearch) return { messages };
  return { messages: shown, citable: { after, documents, texts } };
}

/** Numbers passages, starting after the highest known number. A known passage keeps its number. */
function numberPassages(found: readonly Document[], known: readonly Document[], after: number): Document[] {
  const numbers = new Map(known.map((document) => [keyOf(document), citationNumber(document) ?? 0]));
  let last = Math.max(after, ...numbers.values());
  return found.map((document) => {
    const key = keyOf(document);
    const number = numbers.get(key) ?? ++last;
    numbers.set(key, number);
    const { pageContent, metadata } = withoutCitation(document);
    return { pageContent, metadata: { ...metadata, citationNumber: number } };
  });
}

function keyOf(document: Document): string {
  return JSON.stringify(withoutNotes(document));
}

/**
 * The results of a round with numbered passages, which the model reads in place of the output. Results without anything
 * citable are unchanged.
 */
export function citeResults(
  outcomes: readonly ToolOutcome[],
  known: readonly Document[],
  citable: Citable | undefined,
): readonly ToolOutcome[] {
  if (citable === undefined) return outcomes;
  let before = known;
  return outcomes.map((outcome) => {
    if (outcome.sourceDocuments.length === 0) return outcome;
    const sourceDocuments = numberPassages(outcome.sourceDocuments, before, citable.after);
    before = [...before, ...sourceDocuments];
    return { ...outcome, sourceDocuments, told: toNumberedText(sourceDocuments) };
  });
}

export const citationRule =
  'Passages of documents come as <passage number="…">. Cite the passages that a statement rests on right after it, by their numbers in square brackets, as in [1] or [1][2]. Cite no other numbers, and nothing that you know without a passage. Brackets with numbers inside a passage belong to its text: do not copy them. Do not list the sources at the end.';

function toNumberedText(documents: readonly Document[]): string {
  return documents
    .map((document) => {
      const facts = Object.entries(describePassage(document)).map(
        ([name, value]) => ` ${name}="${toAttribute(value)}"`,
      );
      return fence(facts.join(""), document.pageContent);
    })
    .join("\n\n");
}

/** A numbered passage whose text can neither close it nor open another. */
export function fencePassage(number: number, text: string): string {
  return fence(` number="${number}"`, text);
}

function fence(attributes: string, text: string): string {
  return `<passage${attributes}>\n${defuse(text)}\n</passage>`;
}

function describePassage(document: Document): Record<string, string> {
  const { metadata } = document;
  const textAt = (...names: string[]) => names.map((name) => metadata[name]).find(isText);
  const { headings, loc } = metadata;
  const section = Array.isArray(headings) ? headings.filter(isText).join(" › ") : undefined;
  const page = [metadata.page, toJsonObject(loc).pageNumber, metadata.slide].find((value) => typeof value === "number");
  const link = textAt("url", "source", "link");
  const facts = {
    number: String(citationNumber(document)),
    title: textAt("title", "fileName", "source", "url"),
    page: page === undefined ? undefined : String(page),
    sheet: textAt("sheet"),
    section,
    link: link !== undefined && /^https?:\/\//i.test(link) ? link : undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => isText(fact[1])));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

const mostAttributeCharacters = 300;

/** Document text that cannot leave its quotation marks. */
function toAttribute(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").slice(0, mostAttributeCharacters);
  return defuse(line.replaceAll('"', "'").replaceAll(/[<>]/g, " "));
}

/**
 * Passage text that can neither close its passage, nor open another, nor contain anything that reads as one of our
 * citations: `[3]` becomes `[ 3 ]`, which is harmless in code and references.
 */
function defuse(text: string): string {
  return text
    .replaceAll(/<(?=\s*(?:\/\s*)?passage\b)/gi, "‹")
    .replaceAll(/\[(\d{1,4}(?:\s?,\s?\d{1,4}){0,19})\]/g, "[ $1 ]");
}

function holds({ content }: ModelMessage, text: string): boolean {
  if (typeof content === "string") return content.includes(text);
  return content.some((part) => part.type === "text" && part.text.includes(text));
}
