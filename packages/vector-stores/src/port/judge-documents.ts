import type { VectorMatch } from "@weft/engine/ports/vector-store";
import { type JsonObject, toJsonObject } from "@weft/schema";

type FoundPassage = Pick<VectorMatch, "id" | "metadata">;

/** Evidence about matches from their documents. Lists have one entry per match, in order. */
export type DocumentJudgement = {
  /** The mean of the document's three best scores. Passages beyond the scored ones count as the last of these. */
  nearness: number[];
  /** Index, among the matches, of the document's beginning; undefined if it is not among them. */
  beginnings: (number | undefined)[];
};

const bestPassages = 3;

/**
 * Judges matches by the other passages of their documents. A passage from the middle of a page seldom names the page's
 * subject: its neighbours do, as does the beginning with the title and the introduction. `scores` are those of the
 * first matches, best first.
 */
export function judgeDocuments(matches: readonly FoundPassage[], scores: readonly number[]): DocumentJudgement {
  const documents = matches.map(documentOf);
  const places = new Map<string, number[]>(documents.map((document) => [document, []]));
  for (const [place, document] of documents.entries()) places.get(document)?.push(place);
  const nearness = new Map([...places].map(([document, own]) => [document, meanOfBest(own, scores)]));
  const beginnings = new Map(
    [...places].map(([document, own]) => [document, own.find((place) => isBeginning(matches[place]?.metadata))]),
  );
  return {
    nearness: documents.map((document) => nearness.get(document) ?? 0),
    beginnings: documents.map((document) => beginnings.get(document)),
  };
}

function meanOfBest(places: readonly number[], scores: readonly number[]): number {
  const last = scores.at(-1) ?? 0;
  const best = Array.from({ length: bestPassages }, (_, rank) => scores[places[rank] ?? scores.length] ?? last);
  return best.reduce((sum, score) => sum + score, 0) / bestPassages;
}

/**
 * The loader and the source of a passage. A sheet, a chapter or a record is a separate document, as is a passage that
 * names neither.
 */
function documentOf({ id, metadata }: FoundPassage): string {
  const { docId, source, sheet, chapter, row, line, pointer, item } = metadata;
  if (docId === undefined && source === undefined) return id;
  return JSON.stringify([docId, source, sheet, chapter, row, line, pointer, item]);
}

/** Whether a passage starts on the first line of its document, as splitters note in `loc.lines`. */
function isBeginning({ loc, page = 1, slide = 1 }: JsonObject = {}): boolean {
  return toJsonObject(toJsonObject(loc).lines).from === 1 && page === 1 && slide === 1;
}
