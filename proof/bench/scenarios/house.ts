import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelServer } from "../load/model-server.ts";
import { createPostgresDatabase } from "../weft/postgres-database.ts";
import { type Models, startWeft, type Weft, type WeftOptions } from "../weft/start-weft.ts";

/** What scenarios share, gone when the house is closed. */
export type House = {
  models: Models;
  /** Starts a server that lives as long as the house, or shorter. */
  startWeft(options?: Omit<WeftOptions, "models">): Promise<Weft>;
  createFolder(): Promise<string>;
  /** A new database on the PostgreSQL server that was given. */
  createDatabase(): Promise<string>;
  /** What `close` does, too; the newest first. */
  onClose(close: () => Promise<void>): void;
  close(): Promise<void>;
};

export async function openHouse(postgresUrl: string | undefined): Promise<House> {
  const closings: (() => Promise<void>)[] = [];
  const model = await startModelServer();
  closings.push(() => model.stop());
  const toolModel = await startModelServer(["--tool-call", "{}"]);
  closings.push(() => toolModel.stop());
  const models = { model, toolModel };
  return {
    models,
    async startWeft(options = {}) {
      const weft = await startWeft({ models, ...options });
      closings.push(() => weft.platform.remove());
      return weft;
    },
    async createFolder() {
      const folder = await mkdtemp(join(tmpdir(), "weft-bench-"));
      closings.push(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    async createDatabase() {
      if (postgresUrl === undefined) throw new Error("No PostgreSQL server was given.");
      const database = await createPostgresDatabase(postgresUrl);
      closings.push(() => database.drop());
      return database.url;
    },
    onClose: (close) => void closings.push(close),
    async close() {
      for (const close of closings.toReversed()) await close();
    },
  };
}

/** Made at the first call; later ones get the same. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
