import type { Database } from "@weft/database";
import type { Logger } from "@weft/http/logger";

/** The models that runs have called, at most the first thousand. */
export type SeenModels = {
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

export function createSeenModels({ database, logger }: { database: Database; logger: Logger }): SeenModels {
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
