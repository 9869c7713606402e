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
  const database = await PGlite.create({ extensions: { vector } });
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
