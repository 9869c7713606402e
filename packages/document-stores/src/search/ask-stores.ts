import { hash } from "node:crypto";
import { isExpected, linkSignal } from "@weft/engine";
import type { AskModelOnce, Retrieval, RetrievalWarning } from "@weft/engine/ports/retriever";
import {
  type Json,
  type JsonObject,
  type RetrievalSettings,
  retrievalSettingsSchema,
  WeftError,
  withStoreSettings,
} from "@weft/schema";
import type { StoreContext } from "../store-context.ts";
import type { DocumentStoreRow } from "../tables.ts";
import { chooseDifferent, mergeByRank, withoutDuplicates } from "./choose-passages.ts";
import { readAround } from "./read-around.ts";
import { toRelevances, withProminence } from "./relevance.ts";
import { type LiveMatch, type StoreQuestion, searchStore, topKOf } from "./search-store.ts";
import { toWordingCall, type Wording } from "./word-question.ts";

/** A store with its own settings of the search. */
export type StoreAsked = {
  row: DocumentStoreRow;
  topK?: number | null | undefined;
  filter?: JsonObject | null | undefined;
};

export type Asked = Pick<Retrieval, "query" | "settings" | "history" | "ask" | "signal"> & {
  stores: readonly StoreAsked[];
  includeOrphans?: boolean | null | undefined;
  /**
   * Whether a misconfigured model is an error, for a person trying the settings. Default: a warning, like every other
   * failure of a model.
   */
  isTrial?: boolean;
};

/** A passage found in a store. `relevance`: from 0 to 1, comparable among searches. */
export type FoundPassage = LiveMatch & { storeId: string; relevance: number };

export type Found = {
  /** Per store, in the order of the stores, best first. Undefined for a store that failed. */
  lists: (FoundPassage[] | undefined)[];
  failures: { row: DocumentStoreRow; cause: unknown }[];
  warnings: RetrievalWarning[];
  /** Stores with passages, but none of sufficient relevance. */
  below: DocumentStoreRow[];
};

/** A model that improves a search may take this long; after that the search continues without it. */
const patienceMs = 30_000;

/** Passages compared for variety, as a multiple of those wanted. */
const poolFactor = 4;
const leastPool = 20;
/** Minimum number of background vectors, if only vectors are compared. */
const leastBackground = 60;
/** Extra passages per wanted one, to replace duplicates. */
const spare = 4;

/**
 * Searches stores with their settings, overridden by the caller's, in this order: a chat model completes and rewords
 * the question, every wording is searched, the results are merged, judged, cut at the threshold, thinned for variety,
 * and extended by the text around the passages. A model that fails is skipped with a warning.
 */
export async function askStores(context: StoreContext, asked: Asked): Promise<Found> {
  const warnings: RetrievalWarning[] = [];
  const search: Search = { ...context, asked, warnings, wordings: new Map() };
  const found: Found = { lists: [], failures: [], warnings, below: [] };
  const all = asked.stores.map((store) => askStore(search, store));
  for (const [index, result] of (await Promise.allSettled(all)).entries()) {
    const row = asked.stores[index]?.row;
    if (row === undefined) continue;
    if (result.status === "rejected") {
      asked.signal.throwIfAborted();
      if (!isExpected(result.reason)) throw result.reason;
      found.failures.push({ row, cause: result.reason });
      found.lists.push(undefined);
      continue;
    }
    found.lists.push(result.value.passages);
    if (result.value.isBelow) found.below.push(row);
  }
  return found;
}

type Search = StoreContext & {
  asked: Asked;
  warnings: RetrievalWarning[];
  /** Stores with the same settings share a wording. */
  wordings: Map<string, Promise<Wording>>;
};

async function askStore(search: Search, store: StoreAsked) {
  const { asked, database } = search;
  const { row } = store;
  const settings = withStoreSettings(asked.settings ?? {}, readRetrievalConfig(row));
  const count = store.topK ?? topKOf(row);
  const wording = await wordQuestion(search, settings);
  const questions = toQuestions(wording);
  const lists = await searchStore(search, row, {
    questions,
    topK: poolOf(settings, count),
    mode: settings.mode,
    filter: store.filter,
    includeOrphans: asked.includeOrphans,
    signal: asked.signal,
  });
  const told = settings.mode === "vector" ? lists.map(withProminence) : lists;
  const merged = withoutDuplicates(told.length > 1 ? mergeByRank(told) : (told[0] ?? []));
  const judged = await judge(search, merged, { settings, question: wording.question, count });
  const { scoreThreshold = 0, mmrLambda = 1 } = settings;
  const enough = judged.filter(({ relevance }) => relevance >= scoreThreshold);
  const chosen = mmrLambda < 1 ? chooseDifferent(enough, { lambda: mmrLambda, count }) : enough.slice(0, count);
  const filter = store.filter ?? undefined;
  const read = await readAround(database, chosen, { storeId: row.id, settings, filter });
  return {
    passages: read.map((passage): FoundPassage => ({ ...passage, storeId: row.id })),
    isBelow: judged.length > 0 && enough.length === 0,
  };
}

function poolOf({ mode, rerank, mmrLambda = 1 }: RetrievalSettings, count: number): number {
  const isJudged = rerank !== undefined && rerank.provider !== "none";
  const judged = isJudged ? rerank.candidates : 0;
  const compared = mmrLambda < 1 ? Math.max(leastPool, count * poolFactor) : 0;
  const others = mode === "vector" ? leastBackground : 0;
  return Math.max(count + spare, judged, compared, others);
}

function toQuestions({ question, others, imagined }: Wording): StoreQuestion[] {
  return [
    { text: question },
    ...others.map((text) => ({ text })),
    ...(imagined === undefined ? [] : [{ text: question, meaning: imagined }]),
  ];
}

/** Once per distinct settings. */
function wordQuestion(search: Search, settings: RetrievalSettings): Promise<Wording> {
  const { rewrite = false, variants = 0, hypothetical = false, chatModel = {} } = settings;
  const key = JSON.stringify([rewrite, variants, hypothetical, chatModel]);
  const known = search.wordings.get(key);
  if (known !== undefined) return known;
  const made = makeWording(search, settings);
  search.wordings.set(key, made);
  return made;
}

async function makeWording(search: Search, settings: RetrievalSettings): Promise<Wording> {
  const { query, history } = search.asked;
  const { rewrite = false, variants = 0, hypothetical = false, chatModel = {} } = settings;
  const said = rewrite && history !== undefined ? await history() : [];
  const call = toWordingCall({ question: query, history: said, variants, hypothetical });
  const plain = { question: query, others: [] };
  if (call === undefined) return plain;
  return tryModel(search, { code: "question-not-worded", otherwise: plain }, async () => {
    const model = await search.chatModels.resolve(chatModel);
    const asked = { key: toKey("wording", [model.id, call.input]), name: model.id, input: call.input };
    const { json } = await once(search, asked, (signal) => call.make(model, signal));
    return call.read(json);
  });
}

/**
 * Equal calls have equal keys. After a restart a store may have other content: then it is another call, and the earlier
 * answer does not count.
 */
function toKey(what: string, call: Json): string {
  return `${what}-${hash("sha256", JSON.stringify(call)).slice(0, 16)}`;
}

/** `count`: passages wanted. */
type Judging = { settings: RetrievalSettings; question: string; count: number };

/** The passages with their relevance, in that order. */
async function judge<T extends LiveMatch>(
  search: Search,
  found: readonly T[],
  { settings, question, count }: Judging,
): Promise<(T & { relevance: number })[]> {
  const relevances = toRelevances(question, found);
  const asFound = found.map((match, place) => ({ ...match, relevance: relevances[place] ?? 0 }));
  const { rerank, chatModel = {} } = settings;
  if (rerank === undefined || rerank.provider === "none" || found.length === 0) return asFound;
  return tryModel(search, { code: "passages-not-judged", otherwise: asFound }, async () => {
    const model = await search.rerankers.resolve(rerank, chatModel);
    const read = found.slice(0, Math.min(Math.max(rerank.candidates, count), model.maxPassages));
    const passages = read.map(({ text }) => text);
    const input = { query: question, passages: passages.length };
    const key = toKey("rerank", [model.id, question, ...read.map(({ id, text }) => [id, text])]);
    const { scores } = await once(search, { key, name: model.id, input }, async (signal) => {
      const { scores, usage } = await model.rerank({ query: question, passages, signal });
      return { scores, ...(usage && { usage }) };
    });
    if (scores.length !== read.length) throw new Error("A reranker answered other scores than were asked for.");
    return read
      .map((match, place) => ({ ...match, relevance: scores[place] ?? 0 }))
      .sort((a, b) => b.relevance - a.relevance);
  });
}

/** Calls a model at most once per run, with a limit on the time that it delays the search. */
async function once<T extends Json>(
  { asked: { ask, signal }, clock }: Search,
  call: Parameters<AskModelOnce>[0],
  make: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = async (given: AbortSignal) => {
    const link = linkSignal(given);
    const ended = new AbortController();
    const waited = clock.sleep(patienceMs, ended.signal).then(
      () => link.abort(new WeftError("model-timeout", { params: timeout })),
      () => undefined,
    );
    try {
      return await make(link.signal);
    } finally {
      ended.abort("ended");
      link.release();
      await waited;
    }
  };
  return ask === undefined ? limited(signal) : ask(call, limited);
}

const timeout = { limitMs: patienceMs, awaited: "no answer", setting: "the search" };

/** Runs `make`, or uses the fallback with a warning if the model fails. */
async function tryModel<T>(
  { asked: { signal, isTrial = false }, warnings }: Search,
  { code, otherwise }: { code: string; otherwise: T },
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (cause) {
    signal.throwIfAborted();
    if (!isExpected(cause) || !(cause instanceof Error)) throw cause;
    if (isTrial && isMisconfigured(cause)) throw cause;
    const done =
      code === "passages-not-judged" ? "the order of the search stays" : "the question was searched as it is";
    warnings.push({ code, message: `${cause.message} Until then, ${done}.` });
    return otherwise;
  }
}

/** Retrying does not help: someone has to change the settings. */
function isMisconfigured(cause: Error): boolean {
  return cause instanceof WeftError && /^model-(not-configured|unauthorized|invalid-request)$/.test(cause.code);
}

/** A store's search settings unless a caller overrides them. */
export function readRetrievalConfig({ retrievalConfig }: DocumentStoreRow): RetrievalSettings {
  return retrievalSettingsSchema.parse(JSON.parse(retrievalConfig));
}

/** Rejects with `parameters-invalid` for invalid settings, or models that cannot be called. Calls no server. */
export async function assertRetrievalConfig(text: string | undefined, models: StoreContext): Promise<void> {
  if (text === undefined) return;
  const { data: settings, error } = retrievalSettingsSchema.safeParse(JSON.parse(text));
  if (settings === undefined) {
    const errors = (error?.issues ?? []).map(({ path, message }) => ({
      path: ["retrievalConfig", ...path].map(String).join("."),
      message,
    }));
    const reason = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
    throw new WeftError("parameters-invalid", { params: { reason }, errors });
  }
  const { rerank, chatModel = {} } = settings;
  try {
    if (rerank !== undefined && rerank.provider !== "none") await models.rerankers.resolve(rerank, chatModel);
    if (needsChatModel(settings)) await models.chatModels.resolve(chatModel);
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    throw new WeftError("parameters-invalid", { params: { reason: cause.message }, cause });
  }
}

function needsChatModel({ rewrite = false, variants = 0, hypothetical = false }: RetrievalSettings): boolean {
  return rewrite || variants > 0 || hypothetical;
}
