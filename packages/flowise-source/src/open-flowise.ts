import { createDatabaseReader } from "./database/database-reader.ts";
import type { Driver } from "./database/driver.ts";
import { openExport } from "./export/open-export.ts";
import type { FlowiseSource, OpenFlowiseOptions } from "./flowise-source.ts";
import { FlowiseSourceError } from "./flowise-source-error.ts";
import { openStorage } from "./storage-files.ts";
import { unseal } from "./unseal.ts";

type Opened = Pick<FlowiseSource, "kind" | "workspaces" | "rows" | "count" | "close"> & {
  /** Undefined if only the storage folder tells them. */
  readonly organizations?: readonly string[];
};

/** Opens read-only. Rejects with `FlowiseSourceError`: no such file, not a Flowise database, wrong password, … */
export async function openFlowise(options: OpenFlowiseOptions): Promise<FlowiseSource> {
  const { key, storage } = options;
  const opened = await openRows(options);
  try {
    const { kind, workspaces, rows, count, close, organizations } = opened;
    const files = storage === undefined ? noFiles : await openStorage(storage, organizations);
    return { kind, workspaces, rows, count, close, files, unseal: (sealed) => unseal(sealed, key) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function* noFiles(): ReturnType<FlowiseSource["files"]> {}

function openRows({ database, exportFile }: OpenFlowiseOptions): Promise<Opened> {
  if (database !== undefined && exportFile === undefined) return openDatabase(database);
  if (exportFile !== undefined && database === undefined) return openExport(exportFile);
  return Promise.reject(new FlowiseSourceError("Name either the database of Flowise or an ExportData.json."));
}

async function openDatabase(database: string): Promise<Opened> {
  const driver = await connect(database);
  try {
    const reader = await createDatabaseReader(driver);
    return { ...reader, kind: driver.kind, close: driver.close };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** Loads the driver of the database that is there. */
async function connect(database: string): Promise<Driver> {
  const scheme = /^([a-z]+):\/\//i.exec(database)?.[1]?.toLowerCase();
  if (scheme === undefined) return (await import("./database/sqlite-driver.ts")).openSqlite(database);
  if (scheme === "postgres" || scheme === "postgresql") {
    return (await import("./database/postgres-driver.ts")).openPostgres(database);
  }
  if (scheme === "mysql" || scheme === "mariadb") {
    return (await import("./database/mysql-driver.ts")).openMysql(database);
  }
  throw new FlowiseSourceError(
    `Databases at ${scheme}:// cannot be read. Name a SQLite file, or an address that begins with postgres:// or mysql://.`,
  );
}
