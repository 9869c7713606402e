import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server, and can let the line go dead as a firewall or a pulled cable does. */
export type SilentProxy = {
  /** The address of the same server through the proxy. */
  url: string;
  /** Every connection that is open now stays open on both sides, and nothing comes through any more. Later ones work. */
  silence(): void;
  /** How many connections were made so far. */
  connections(): number;
  close(): void;
};

export async function startSilentProxy(serverUrl: string, defaultPort: number): Promise<SilentProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let count = 0;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (bytes) => {
      if (!silent.has(from)) to.write(bytes);
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      // The other side of a dead line does not hear of it.
      if (!silent.has(from)) to.destroy();
    });
  };
  const server = createServer({ noDelay: true }, (client) => {
    count += 1;
    const upstream = connect({ host: target.hostname, port: Number(target.port || defaultPort), noDelay: true });
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) silent.add(socket);
    },
    connections: () => count,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
