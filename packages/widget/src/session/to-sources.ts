import type { Document } from "@weft/schema";
import { citationNumber, passageAddress } from "@weft/schema/citation";

/** A passage that an answer is based on, as much of it as is shown and kept. */
export type Source = {
  title: string;
  /** Absent where the passage names no address that a click may open. */
  href?: string;
  text: string;
  /** The number by which the answer may cite it; absent where it has none. */
  number?: number;
  /** Whether the answer cites it; absent where it has no number. */
  isCited?: boolean;
  facts: readonly { name: string; value: string }[];
};

const mostSources = 50;
const mostCharacters = 1_500;
const mostFacts = 20;
const mostFactCharacters = 300;

/** Keys under which loaders put where a passage is from, most telling first. */
const titleKeys = ["title", "fileName", "source", "url"];
/** Facts that are shown in other ways. */
const ownKeys = ["citationNumber", "isCited"];

/** Reads the `sourceDocuments` of a stream. What is none is passed over: another server may send more than ours. */
export function toSources(documents: unknown): Source[] {
  if (!Array.isArray(documents)) return [];
  return documents
    .map(toObject)
    .filter(({ pageContent }) => typeof pageContent === "string")
    .slice(0, mostSources)
    .map(toSource);
}

function toSource({ pageContent, metadata }: Record<string, unknown>): Source {
  const known = toObject(metadata);
  const title = textsAt(known, titleKeys)[0] ?? "";
  const passage = { pageContent: String(pageContent), metadata: known as Document["metadata"] };
  const href = passageAddress(passage);
  const number = citationNumber(passage);
  const facts = Object.entries(known)
    .filter(([name]) => !ownKeys.includes(name))
    .map(([name, value]) => ({ name, value: toText(value).trim() }));
  return {
    title: shorten(title, mostFactCharacters),
    ...(href !== undefined && { href }),
    text: shorten(passage.pageContent.trim(), mostCharacters),
    ...(number !== undefined && { number, isCited: known.isCited === true }),
    facts: facts
      .filter(({ value }) => value !== "" && value !== title && !isId(value))
      .slice(0, mostFacts)
      .map(({ name, value }) => ({ name, value: shorten(value, mostFactCharacters) })),
  };
}

/** An id of a record tells a reader nothing. */
function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function textsAt(facts: Record<string, unknown>, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = facts[key];
    return typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
  });
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "");
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).trimEnd()}…` : text;
}
