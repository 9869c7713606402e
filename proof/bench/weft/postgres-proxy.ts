import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What went over all connections so far. */
export type PostgresTraffic = { roundTrips: number; statements: number };

export type PostgresProxy = {
  /** The address of the same database through the proxy. */
  url: string;
  count(): PostgresTraffic;
  close(): void;
};

/**
 * Stands between a client and PostgreSQL and counts. A round trip begins with the first bytes that a client sends after
 * the server was ready for a query (ReadyForQuery); what it sends before the next ReadyForQuery belongs to the same one.
 * Statements are the messages Query and Execute, those of transactions included. Speaks no TLS. Source: PostgreSQL's
 * documentation, Message Formats.
 */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const traffic = { roundTrips: 0, statements: 0 };
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true });
    let isReady = false;
    const readServer = createMessageReader((type) => {
      if (type === "Z") isReady = true;
    }, true);
    const readClient = createMessageReader((type) => {
      if (type === "Q" || type === "E") traffic.statements += 1;
    }, false);
    client.on("data", (bytes) => {
      if (isReady) traffic.roundTrips += 1;
      isReady = false;
      readClient(bytes);
    });
    upstream.on("data", readServer);
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    count: () => ({ ...traffic }),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Tells the type of every message in a stream of bytes. A client's first message, its startup, has none. */
function createMessageReader(onMessage: (type: string) => void, isTyped: boolean): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let hasType = isTyped;
  let toSkip = 0;
  return (bytes) => {
    let at = 0;
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    rest = Buffer.alloc(0);
    while (at < all.length) {
      const skipped = Math.min(toSkip, all.length - at);
      toSkip -= skipped;
      at += skipped;
      const head = hasType ? 5 : 4;
      if (all.length - at < head) {
        rest = Buffer.from(all.subarray(at));
        return;
      }
      if (hasType) onMessage(String.fromCharCode(all[at] as number));
      toSkip = all.readInt32BE(at + head - 4) - 4;
      at += head;
      hasType = true;
    }
  };
}
