import { type Database, findSetting, saveSetting, type Tables } from "@weft/database";
import type { Logger } from "@weft/http/logger";
import type { CostOf } from "@weft/run-host";
import { type PriceChoice, type Prices, priceChoiceSchema } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";

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
      await database.write((tx) => saveSetting(tx, name, JSON.stringify(choice)));
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
  const value = await findSetting(db, name);
  return value === undefined ? {} : priceChoiceSchema.parse(JSON.parse(value)).prices;
}

/** The models that runs have called, at most the first thousand. */
type SeenModels = {
  /** Never waits. A new one is stored in the background, within a second. */
  note(modelId: string): void;
  /** All of them, sorted by name; includes those this process has just noted. */
  list(): Promise<string[]>;
  /** Stores what was noted, and reads what is stored: only new models cost a write. */
  load(): Promise<void>;
};

/** No price can be set for longer names. */
const longestName = 300;
const most = 1_000;
const storedAfterMs = 1_000;
/** Each is a setting of its own, so that concurrent processes lose nothing. */
const prefix = "model-seen:";

function createSeenModels({ database, logger }: { database: Database; logger: Logger }): SeenModels {
  const known = new Set<string>();
  const pending = new Set<string>();
  let isDue = false;

  async function store(): Promise<void> {
    const ids = [...pending];
    if (ids.length === 0) return;
    await database.write((tx) =>
      tx
        .insertInto("settings")
        .values(ids.map((id) => ({ name: prefix + id, value: "" })))
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute(),
    );
    for (const id of ids) pending.delete(id);
  }

  /** A run's end is a write already: its models are stored once that is over. */
  function storeSoon(): void {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      store().catch((cause: unknown) => {
        logger.warn("seen-models-not-stored", { cause });
      });
    }, storedAfterMs).unref();
  }

  async function read(): Promise<string[]> {
    const rows = await database.read
      .selectFrom("settings")
      .select("name")
      .where("name", ">=", prefix)
      .where("name", "<", `${prefix}\uffff`)
      .orderBy("name")
      .limit(most)
      .execute();
    return rows.map(({ name }) => name.slice(prefix.length));
  }

  return {
    note(modelId) {
      if (known.has(modelId) || known.size >= most || modelId.length > longestName) return;
      known.add(modelId);
      pending.add(modelId);
      storeSoon();
    },
    async list() {
      await store();
      return read();
    },
    async load() {
      for (const id of await read()) known.add(id);
    },
  };
}
