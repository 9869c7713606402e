import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createIdSource } from "@weft/database";
import { type FlowiseSource, openFlowise } from "@weft/flowise-source";
import { type BuildOptions, type BuiltFlowise, buildFlowiseDatabase } from "@weft/flowise-source/testing";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import type { FlowiseReport } from "@weft/schema";
import type { TestStorage } from "../../../../database/src/testing/test-databases.ts";
import { importInto } from "../../cli/import-flowise.ts";
import { readConfig } from "../../config.ts";
import type { FlowiseImportOptions } from "../index.ts";

/** An installation of Flowise, gone after the test. */
export async function buildFlowise(
  t: Pick<TestContext, "after">,
  options: Omit<BuildOptions, "folder"> = {},
): Promise<BuiltFlowise> {
  const folder = await mkdtemp(join(tmpdir(), "weft-flowise-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return buildFlowiseDatabase({ folder, ...options });
}

export type TestImport = Partial<Omit<FlowiseImportOptions, "source">> & {
  key?: string;
  /** An export that is read in place of the database. */
  exportFile?: string;
  /** The source that the import reads, in place of the installation. */
  wrap?(source: FlowiseSource): FlowiseSource;
};

/** Imports an installation into a database, as the command does. */
export async function importFrom(
  { database, keyFile, storage }: BuiltFlowise,
  { databaseUrl, dataDir }: Pick<TestStorage, "databaseUrl" | "dataDir">,
  { key, exportFile, wrap = (source) => source, ...options }: TestImport = {},
): Promise<FlowiseReport> {
  const installation = { database, storage, key: key ?? (await readFile(keyFile, "utf8")) };
  const source = await openFlowise(exportFile === undefined ? installation : { exportFile });
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, EVENT_API: "false" });
  const clock = systemClock;
  const logger = createLogger({ level: "silent", write: () => undefined, now: clock.now });
  const platform = { config, clock, ids: createIdSource(clock.now), logger };
  try {
    return await importInto(platform, { source: wrap(source), dryRun: false, openFlows: "closed", ...options });
  } finally {
    await source.close();
  }
}

/** The counts of a table: read, written, already there, left out. */
export function countsOf({ tables }: FlowiseReport, name: string): number[] {
  const table = tables.find((one) => one.table === name);
  const left = table?.left.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return [table?.read ?? 0, table?.written ?? 0, table?.there ?? 0, left];
}
