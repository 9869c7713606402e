import type { Tables } from "@weft/database";
import type { CostOf } from "@weft/run-host";
import { type PriceChoice, type Prices, priceChoiceSchema } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import { createSeenModels } from "./seen-models.ts";

/** Prices of model calls: those set here, those of the environment, and the shipped list. */
export type PriceService = {
  get(): Promise<Prices>;
  /** Replaces the prices set here. They apply from the next run that ends. */
  set(choice: PriceChoice): Promise<Prices>;
  /**
   * Never waits: changes by another process are read in the background of the next run, and apply from the one after.
   */
  costOf: CostOf;
  /** Reads the prices set here, and the known called models. */
  load(): Promise<void>;
};

export function createPriceService({ database, prices, logger }: Context): PriceService {
  const { environment, list, source } = prices;
  const changes = () => database.changes(["settings"]);
  const seen = createSeenModels({ database, logger });
  let loadedAt: number | undefined;

  async function load(): Promise<PriceChoice["prices"]> {
    const at = changes();
    const chosen = await findChosen(database.read);
    prices.set(chosen);
    loadedAt = at;
    return chosen;
  }

  function loadWhatChanged(): void {
    const at = changes();
    if (at !== undefined && at === loadedAt) return;
    loadedAt = at;
    void load().catch((cause: unknown) => logger.warn("prices-not-read", { cause }));
  }

  async function get(): Promise<Prices> {
    const chosen = await load();
    const models = (await seen.list()).map((id) => ({
      id,
      price: prices.find(id) ?? null,
      origin: prices.originOf(id) ?? null,
    }));
    return { source, prices: chosen, environment: { ...environment }, list: { ...list }, models };
  }

  return {
    get,
    async set(choice) {
      await database.write((tx) => saveChosen(tx, choice));
      return get();
    },
    costOf(modelId, usage) {
      loadWhatChanged();
      if (usage.totalTokens > 0) seen.note(modelId);
      return prices.costOf(modelId, usage);
    },
    async load() {
      await Promise.all([load(), seen.load()]);
    },
  };
}

const name = "model-prices";

async function findChosen(db: Kysely<Tables>): Promise<PriceChoice["prices"]> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row === undefined ? {} : priceChoiceSchema.parse(JSON.parse(row.value)).prices;
}

async function saveChosen(tx: Kysely<Tables>, choice: PriceChoice): Promise<void> {
  const value = JSON.stringify(choice);
  await tx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
