import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection of which the client's last words have not reached the server yet. */
export type HeldConnection = {
  /** What was sent since it was looked at, the held words included. As latin1. */
  readonly sent: string;
  /** The server hears them, late. */
  pass(): void;
  /** The server hears them; the client hears nothing of what comes of it. */
  passUnheard(): void;
  /** Both sides lose the connection, and the server never hears them. */
  cut(): void;
};

/** Stands between a client and a server, and can let the line go dead as a firewall or a pulled cable does. */
export type SilentProxy = {
  /** The address of the same server through the proxy. */
  url: string;
  /** Every connection that is open now stays open on both sides, and nothing comes through any more. Later ones work. */
  silence(): void;
  /**
   * Stops what a client sends as soon as this returns true of what it sent on one connection since the call, or since it
   * last returned "forget". `signal`: when to look no further; it then resolves with undefined.
   */
  hold(matches: (sent: string) => boolean | "forget", signal: AbortSignal): Promise<HeldConnection | undefined>;
  /** How many connections were made so far. */
  connections(): number;
  close(): void;
};

export async function startSilentProxy(serverUrl: string, defaultPort: number): Promise<SilentProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const watches = new Set<Watch>();
  let count = 0;
  const pass = (from: Socket, to: Socket, look: (bytes: Buffer) => boolean = () => false) => {
    sockets.add(from);
    from.on("data", (bytes: Buffer) => {
      if (!look(bytes) && !silent.has(from)) to.write(bytes);
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
    const kept: Buffer[] = [];
    let isHeld = false;
    const goOn = () => {
      isHeld = false;
      for (const bytes of kept.splice(0)) upstream.write(bytes);
    };
    const hold = (sent: string): HeldConnection => ({
      sent,
      pass: goOn,
      passUnheard() {
        silent.add(upstream);
        goOn();
      },
      cut() {
        client.destroy();
        upstream.destroy();
      },
    });
    pass(client, upstream, (bytes) => {
      const watch = isHeld ? undefined : [...watches].find((each) => sees(each, client, bytes));
      if (watch !== undefined) {
        isHeld = true;
        watches.delete(watch);
        watch.found(hold(watch.sent.get(client) ?? ""));
      }
      if (isHeld) kept.push(bytes);
      return isHeld;
    });
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
    async hold(matches, signal) {
      const { promise, resolve } = Promise.withResolvers<HeldConnection | undefined>();
      const watch: Watch = { matches, sent: new WeakMap(), found: resolve };
      watches.add(watch);
      const giveUp = () => {
        watches.delete(watch);
        resolve(undefined);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
    },
    connections: () => count,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Watch = {
  matches(sent: string): boolean | "forget";
  /** What was sent on each connection so far. */
  sent: WeakMap<Socket, string>;
  found(held: HeldConnection): void;
};

function sees(watch: Watch, client: Socket, bytes: Buffer): boolean {
  const sent = `${watch.sent.get(client) ?? ""}${bytes.toString("latin1")}`;
  const verdict = watch.matches(sent);
  watch.sent.set(client, verdict === "forget" ? "" : sent);
  return verdict === true;
}
