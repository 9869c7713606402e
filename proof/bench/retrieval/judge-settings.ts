import type { Database, ReadableDatabase } from "@weft/database";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import type { RetrievalSettings } from "@weft/schema";
import { chooseDifferent, withoutDuplicates } from "../../../packages/document-stores/src/search/choose-passages.ts";
import { readAround } from "../../../packages/document-stores/src/search/read-around.ts";
import { toRelevances } from "../../../packages/document-stores/src/search/relevance.ts";
import { insertChunks } from "../../../packages/document-stores/src/state/chunk.store.ts";
import { deleteLoader, saveLoader } from "../../../packages/document-stores/src/state/loader.store.ts";
import type { Passage } from "./passages.ts";
import type { AskedQuestion } from "./rank-pages.ts";

/** Settings of a search that change what is given of what was found. */
const judgedSettings = {
  "as found": {},
  "variety 0.7": { mmrLambda: 0.7 },
  "variety 0.5": { mmrLambda: 0.5 },
  "1 neighbour": { neighbours: 1 },
  "2 neighbours": { neighbours: 2 },
  section: { parent: "section" },
} as const satisfies Record<string, RetrievalSettings>;

/** What one question is given. */
type Given = {
  /** 1 where a judged page is among the passages. */
  answered: number;
  /** The share of the question's words that stand in what is given of judged pages. */
  words: number;
  pages: number;
  characters: number;
};
export type GivenBySettings = Record<keyof typeof judgedSettings, Given>;

const shownCount = 4;
/** As many as variety is chosen from. */
const poolCount = 20;
const now = { signal: new AbortController().signal };

/** Keeps the passages of a manual where searches read what stands around them. Resolves with what removes them. */
export async function keepChunks(
  database: Pick<Database, "write">,
  manual: string,
  records: readonly (Passage & { id: string })[],
): Promise<() => Promise<void>> {
  const [date, none] = [new Date(0).toISOString(), "{}"];
  const loader = { id: manual, storeId: manual, identity: manual, loaderName: manual, loader: "file", source: manual };
  const chat = { chatAgentId: "", chatId: "" };
  const state = {
    status: "UPSERTED" as const,
    error: "",
    chunkSet: manual,
    totalChunks: records.length,
    totalChars: 0,
  };
  const settings = { splitter: "recursive-character", metadata: none, splitterConfig: none, loaderConfig: none };
  const chunks = records.map(({ id, text, metadata }, index) => ({
    ...{ id, loaderId: manual, chunkSet: manual, chunkNo: index + 1, storeId: manual, metadataHash: "", plan: "add" },
    ...{ source: String(metadata.source), isAdded: 0, metadata: JSON.stringify(metadata), pageContent: text },
  }));
  await database.write(async (tx) => {
    await saveLoader(tx, { ...loader, ...chat, ...state, ...settings, createdDate: date, updatedDate: date });
    await insertChunks(tx, chunks);
  });
  return () => database.write((tx) => deleteLoader(tx, manual));
}

/** What a question is given by each of the settings, of one hybrid search. */
export async function judgeSettings(
  database: ReadableDatabase,
  { storeId, collection }: { storeId: string; collection: Pick<VectorCollection, "search"> },
  { text, vector, pages }: AskedQuestion,
): Promise<GivenBySettings> {
  const found = await collection.search({ vector, text, mode: "hybrid", topK: poolCount, ...now });
  const relevances = toRelevances(text, found);
  const pool = withoutDuplicates(found.map((match, index) => ({ ...match, relevance: relevances[index] ?? 0 })));
  const give = async (settings: RetrievalSettings): Promise<Given> => {
    const { mmrLambda: lambda } = settings;
    const chosen = lambda ? chooseDifferent(pool, { lambda, count: shownCount }) : pool.slice(0, shownCount);
    const given = await readAround(database, chosen, { storeId, settings, filter: undefined });
    const answers = given.filter(({ metadata }) => pages.includes(String(metadata.source)));
    return {
      answered: answers.length > 0 ? 1 : 0,
      words: shareOfWords(text, answers.map((answer) => answer.text).join("\n")),
      pages: new Set(given.map(({ metadata }) => metadata.source)).size,
      characters: given.reduce((sum, passage) => sum + passage.text.length, 0),
    };
  };
  const entries: [string, Given][] = [];
  for (const [name, settings] of Object.entries(judgedSettings)) entries.push([name, await give(settings)]);
  return Object.fromEntries(entries) as GivenBySettings;
}

function shareOfWords(question: string, answer: string): number {
  const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu));
  const asked = [...wordsOf(question)];
  const said = wordsOf(answer);
  return asked.length === 0 ? 0 : asked.filter((word) => said.has(word)).length / asked.length;
}

/** A table of the means over the questions. */
export function printSettings(questions: readonly GivenBySettings[]): void {
  const columns = ["answered", "words", "pages", "characters"] as const;
  console.log("given".padEnd(14), ...columns.map((column) => column.padEnd(10)));
  for (const name of Object.keys(judgedSettings) as (keyof typeof judgedSettings)[]) {
    const means = columns.map((column) => {
      const mean = questions.reduce((sum, question) => sum + question[name][column], 0) / questions.length;
      return (column === "characters" ? mean.toFixed(0) : mean.toFixed(3)).padEnd(10);
    });
    console.log(name.padEnd(14), ...means);
  }
}
