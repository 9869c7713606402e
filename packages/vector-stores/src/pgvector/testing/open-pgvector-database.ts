import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

export type PgvectorDatabase = {
  url: string;
  /** How many a store may open. */
  maxConnections: number;
  close(): Promise<void>;
};

/**
 * A database with pgvector: that of `TEST_PGVECTOR_URL`, else PostgreSQL and pgvector compiled to WebAssembly (PGlite)
 * behind PostgreSQL's own protocol. PGlite shares one session among its connections, so it is given one at a time.
 */
export async function openPgvectorDatabase(url = process.env.TEST_PGVECTOR_URL): Promise<PgvectorDatabase> {
  if (url) return { url, maxConnections: 4, close: async () => {} };
  const database = await openEmpty();
  const server = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    maxConnections: 1,
    async close() {
      await server.stop();
      await database.close();
    },
  };
}

const extensions = { vector };

/** An empty database as `initdb` left it: making one takes ten times as long as reading it. */
async function openEmpty(): Promise<PGlite> {
  const kept = join(cacheFolder, `pgvector-${versionOf("@electric-sql/pglite")}.tar`);
  const bytes = await readFile(kept).catch(() => undefined);
  if (bytes !== undefined) return PGlite.create({ extensions, loadDataDir: new Blob([bytes]) });
  const made = await PGlite.create({ extensions });
  const dump = await made.dumpDataDir("none");
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(`${kept}.${process.pid}`, await dump.bytes());
  await rename(`${kept}.${process.pid}`, kept);
  return made;
}

const cacheFolder = fileURLToPath(new URL("../../../../../.cache/", import.meta.url));

function versionOf(name: string): string {
  const file = new URL("../package.json", import.meta.resolve(name));
  return String(JSON.parse(readFileSync(file, "utf8")).version);
}
