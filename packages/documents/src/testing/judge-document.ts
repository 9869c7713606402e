import { type DocumentContent, toText } from "../document.ts";

/** What the text of a real file must be like. */
export type DocumentExpectation = {
  /** Texts that stand in this order, each behind the one before. Line breaks and blanks count. */
  shows?: readonly string[];
  /** Texts that stand nowhere. */
  lacks?: readonly string[];
  /** The whole text, without white space at its ends. */
  whole?: string;
  /** How many sections there are. */
  sections?: number;
  metadata?: DocumentContent["metadata"];
};

/** What is wrong with a document, each as a sentence; nothing when all is as expected. */
export function judgeDocument(content: DocumentContent, expected: DocumentExpectation): string[] {
  const text = toText(content);
  const { shows = [], lacks = [], whole = text, sections = content.sections.length, metadata = {} } = expected;
  const faults = [
    ...missingIn(text, shows),
    ...lacks.filter((unwanted) => text.includes(unwanted)).map((unwanted) => `${quote(unwanted)} is there`),
    ...differences(content.metadata, metadata),
  ];
  if (text.trim() !== whole.trim()) faults.push("the text is another one");
  if (content.sections.length !== sections) {
    faults.push(`it has ${content.sections.length} sections instead of ${sections}`);
  }
  return faults;
}

function missingIn(text: string, shows: readonly string[]): string[] {
  const faults: string[] = [];
  let from = 0;
  for (const wanted of shows) {
    const at = text.indexOf(wanted, from);
    if (at === -1) faults.push(`${quote(wanted)} is missing${text.includes(wanted) ? " at its place" : ""}`);
    else from = at + wanted.length;
  }
  return faults;
}

function differences(found: object, expected: object): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const actual = JSON.stringify(Object.getOwnPropertyDescriptor(found, name)?.value);
    return actual === JSON.stringify(value) ? [] : [`its ${name} is ${actual} instead of ${JSON.stringify(value)}`];
  });
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
