import type { CostOf } from "@weft/run-host";
import { type ModelPrice, modelPriceSchema } from "@weft/schema";
import { z } from "zod";
import table from "./price-table.json" with { type: "json" };

/** By a model's id, such as `openai/gpt-4o-mini`. */
export type OwnPrices = Readonly<Record<string, ModelPrice>>;

const ownPricesSchema = z.record(z.string().min(1), modelPriceSchema);

const expected =
  'MODEL_PRICES must be JSON with US dollars for a million tokens, such as {"openai/gpt-4o":{"input":2.5,"output":10}}.';

/** Parses the environment's prices, or returns a sentence about the mistake. */
export function readOwnPrices(text: string | undefined): { prices: OwnPrices; mistakes: string[] } {
  if (text === undefined || text.trim() === "") return { prices: {}, mistakes: [] };
  try {
    return { prices: ownPricesSchema.parse(JSON.parse(text)), mistakes: [] };
  } catch {
    return { prices: {}, mistakes: [expected] };
  }
}

/** `set`: by people, in this installation. */
type PriceOrigin = "set" | "environment" | "list";

/** Origin of the shipped prices. */
export type PriceSource = { name: string; url: string; licence: string; date: string };

/** The single source of model prices, for metrics, runs and lists. */
export type ModelPrices = {
  costOf: CostOf;
  /** The price of a model, the operator's first. */
  find(modelId: string): ModelPrice | undefined;
  /** Origin of a model's price; undefined if it has none. */
  originOf(modelId: string): PriceOrigin | undefined;
  /** Sets prices chosen here; they override those of the environment, which override the list. */
  set(chosen: OwnPrices): void;
  /** Prices of the environment. */
  readonly environment: OwnPrices;
  /** The shipped list. */
  readonly list: OwnPrices;
  readonly source: PriceSource;
};

const million = 1_000_000;

export function createModelPrices(environment: OwnPrices): ModelPrices {
  const { source, prices: list }: { source: PriceSource; prices: OwnPrices } = table;
  let own = new Map<string, { price: ModelPrice; origin: PriceOrigin }>();

  function set(chosen: OwnPrices): void {
    const from = (prices: OwnPrices, origin: PriceOrigin) =>
      Object.entries(prices).map(([id, price]) => [id.toLowerCase(), { price, origin }] as const);
    own = new Map([...from(environment, "environment"), ...from(chosen, "set")]);
  }

  function look(modelId: string): { price: ModelPrice; origin: PriceOrigin } | undefined {
    const names = namesOf(modelId);
    const isOwn = names.find((name) => own.has(name));
    if (isOwn !== undefined) return own.get(isOwn);
    const isListed = names.find((name) => Object.hasOwn(list, name));
    const price = isListed === undefined ? undefined : list[isListed];
    return price && { price, origin: "list" };
  }

  const find = (modelId: string) => look(modelId)?.price;

  set({});
  return {
    environment,
    list,
    source,
    set,
    find,
    originOf: (modelId) => look(modelId)?.origin,
    costOf(modelId, { inputTokens, outputTokens }) {
      const price = find(modelId);
      return price && (inputTokens * price.input + outputTokens * price.output) / million;
    },
  };
}

/** Suffixes that vendors append to the name of the same model: a date, a revision, `latest`. */
const revision = /(?:-latest|-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-00\d|-v\d+:\d+|@\d{8}|@latest)$/;

/** Spellings to look up a price under, the exact one first. */
function namesOf(modelId: string): string[] {
  const exact = modelId.toLowerCase();
  const plain = exact.replace(revision, "");
  // Claude's versions are written with a dot by some vendors and with a dash by others.
  const dashed = plain.replace(/(?<=\d)\.(?=\d)/g, "-");
  return [...new Set([exact, plain, dashed])];
}
