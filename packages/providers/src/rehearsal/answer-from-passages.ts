import { findNouns } from "./read-message.ts";

const opening = /<passage number="(\d{1,9})"[^>\n]{0,2000}>\n/y;
const [begins, ends] = ["<passage ", "\n</passage>"];
/** Bounds of what is read: a message or a document may hold anything, and this runs on the server's own thread. */
const [mostPassages, mostCharacters, mostSentences, mostAsked] = [20, 5_000, 500, 50];
const [mostOfSentence, mostOfHeading] = [500, 100];

/** The numbered passages in a text, in the form that the engine gives them (`citePassages`), and the text without them. */
export function readPassages(text: string): { passages: { number: string; text: string }[]; rest: string } {
  const passages: { number: string; text: string }[] = [];
  let [rest, read] = ["", 0];
  let at = text.indexOf(begins);
  for (let tried = 0; at >= 0 && tried < mostPassages; tried += 1, at = text.indexOf(begins, at + 1)) {
    opening.lastIndex = at;
    const [head, number = ""] = opening.exec(text) ?? [];
    if (head === undefined) continue;
    const end = text.indexOf(ends, at);
    if (end < 0) break;
    passages.push({ number, text: text.slice(at + head.length, Math.min(end, at + mostCharacters)) });
    rest += text.slice(read, at);
    read = at = end + ends.length;
  }
  return { passages, rest: rest + text.slice(read) };
}

/**
 * The sentence that has most of the question's words, with the number of its passage as `[1]`; a word weighs less in the
 * measure in which others have it, and a heading counts for what is below it. Undefined without any sentence.
 */
export function answerFromPassages(passages: readonly { number: string; text: string }[], question: string) {
  const sentences = passages
    .flatMap(({ number, text }) => sentencesOf(text).map((found) => ({ ...found, number })))
    .slice(0, mostSentences)
    .map(({ heading, ...found }) => ({ ...found, nouns: new Set(findNouns(`${heading} ${found.sentence}`)) }));
  const asked = [...new Set(findNouns(question))].slice(-mostAsked);
  const weights = asked.map((noun) => 1 / sentences.filter(({ nouns }) => nouns.has(noun)).length);
  const weigh = (nouns: ReadonlySet<string>) =>
    asked.reduce((sum, noun, index) => sum + (nouns.has(noun) ? (weights[index] ?? 0) : 0), 0);
  const [best] = sentences.map((found) => ({ ...found, score: weigh(found.nouns) })).sort((a, b) => b.score - a.score);
  return best && `${best.sentence} [${best.number}]`;
}

/** Sentences and rows of tables of a text in Markdown, without its marks. */
function sentencesOf(text: string): { sentence: string; heading: string }[] {
  let heading = "";
  return text.split("\n").flatMap((line) => {
    const plain = line.replace(/^[\s>]*(?:[-*+]\s|\d{1,3}[.)]\s)?/, "").replaceAll(/\*\*|__|`/g, "");
    if (plain.startsWith("#")) heading = plain.slice(0, mostOfHeading);
    const cells = plain.split("|").map((cell) => cell.trim());
    const said = plain.startsWith("#")
      ? []
      : cells.length > 2
        ? [cells.filter(isWord).join(", ")]
        : plain.split(/(?<=[.!?…]) /);
    return said
      .map((sentence) => sentence.trim().slice(0, mostOfSentence))
      .filter((sentence) => sentence !== "")
      .map((sentence) => ({ sentence, heading }));
  });
}

/** A cell of a table that is neither empty nor the line below its head. */
const isWord = (cell: string) => cell !== "" && !/^[:-]+$/.test(cell);
