import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";

/**
 * Bounds what connections cost, whatever their clients do:
 *
 * 1. All connections together, and those of one network, have a limit; what comes beyond it is not read.
 * 2. A connection that should close after a complete answer is gone after `lingerMs`, read or not.
 * 3. A client that takes less than `minBytes` of a waiting answer in `stallMs` is cut off. So is one that sends less of
 *    a body that the server is ready to read, after an answer with 408.
 * 4. Time in which this process stood still, or had no processor, is not the client's: stalls are counted in checks.
 */
export type ConnectionLimits = {
  maxConnections: number;
  /** At once from one IPv4 address, or one /64 of IPv6; 0: any number. */
  maxConnectionsPerAddress: number;
  /** Addresses whose connections are not counted. Default: this machine's own, where proxies run. */
  isUncounted?(address: string): boolean;
};

export type GuardTimes = { checkIntervalMs: number; headersTimeoutMs: number; lingerMs: number; stallMs: number };

export type GuardOptions = GuardTimes & {
  limits: ConnectionLimits;
  /** Answers a connection beyond the limit of its network. */
  refuseBeyondLimit(socket: Socket): void;
  /** Answers a request whose body has stalled. */
  refuseStalled(socket: Socket): void;
};

export type ConnectionGuard = {
  /** Ends a connection with a last answer. */
  endSoon(socket: Socket, answer: string): void;
  /**
   * For a request that Node found late: whether it may only seem so, because this process has just been stalled. It
   * then has `headersTimeoutMs` more, after which it is rejected as stalled.
   */
  mayBeWaiting(socket: Socket): boolean;
};

/** Timers that are later than this belong to a process that was frozen, or whose machine slept or starved. */
const pauseMs = 500;
const minBytes = 16 * 1_024;
const minBodyBytes = 1_024;

type Asked = { incoming: IncomingMessage; response: ServerResponse };
type Watched = { asked: Asked | undefined; taken: Window; sent: Window };
/** Checks since the start of a wait, and the bytes moved by then. */
type Window = { checks: number; bytes: number } | undefined;

export function guardConnections(server: Server, options: GuardOptions): ConnectionGuard {
  const { limits, lingerMs, stallMs, checkIntervalMs, headersTimeoutMs } = options;
  const watched = new Map<Socket, Watched>();
  let sweptAt = performance.now();
  let pausedAt = Number.NEGATIVE_INFINITY;
  const counts = new Map<string, number>();
  server.maxConnections = limits.maxConnections;

  function endSoon(socket: Socket, answer: string): void {
    // Discards incoming data: unread bytes would make the system reset the connection before the answer is read.
    socket.removeAllListeners("data").resume();
    socket.end(answer, () => setTimeout(() => socket.destroy(), lingerMs).unref());
  }

  server.on("connection", (socket) => {
    const entry: Watched = { asked: undefined, taken: undefined, sent: undefined };
    watched.set(socket, entry);
    lingerForBody(socket, { entry, lingerMs });
    socket.once("close", () => watched.delete(socket));
    if (!count(socket, limits, counts)) options.refuseBeyondLimit(socket);
  });
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    const entry = watched.get(incoming.socket);
    if (entry !== undefined) Object.assign(entry, { asked: { incoming, response }, sent: undefined });
  });
  const sweep = setInterval(() => {
    const now = performance.now();
    notePause(now);
    sweptAt = now;
    for (const [socket, entry] of watched) check(socket, entry);
  }, checkIntervalMs);
  sweep.unref();
  server.once("close", () => clearInterval(sweep));

  function check(socket: Socket, entry: Watched): void {
    const taken = { bytes: takenBytes(socket), minBytes };
    const sent = { bytes: socket.bytesRead, minBytes: minBodyBytes };
    entry.taken = socket.writableLength > 0 ? toWindow(entry.taken, taken) : undefined;
    entry.sent = isBodyAwaited(entry) ? toWindow(entry.sent, sent) : undefined;
    if (isStalled(entry.taken)) socket.destroy();
    else if (isStalled(entry.sent)) refuseOnce(socket, entry);
  }

  function isStalled(window: Window): boolean {
    return window !== undefined && window.checks * checkIntervalMs >= stallMs;
  }

  function refuseOnce(socket: Socket, entry: Watched): void {
    if (entry.asked?.response.headersSent) socket.destroy();
    else options.refuseStalled(socket);
    entry.asked = undefined;
  }

  /** Node looks for late requests in a timer of its own, which may fire before the sweep. */
  function notePause(now: number): void {
    if (now - sweptAt > checkIntervalMs + pauseMs) pausedAt = now;
  }

  return {
    endSoon,
    mayBeWaiting(socket) {
      const entry = watched.get(socket);
      notePause(performance.now());
      if (entry === undefined || performance.now() - pausedAt > checkIntervalMs) return false;
      const { asked } = entry;
      const refuseLate = () => {
        if (entry.asked === asked && asked?.incoming.complete !== true) refuseOnce(socket, entry);
      };
      const timer = setTimeout(refuseLate, headersTimeoutMs).unref();
      socket.once("close", () => clearTimeout(timer));
      return true;
    },
  };
}

/**
 * Node calls `destroySoon` after an answer with `Connection: close`. A body still arriving would reset the connection,
 * and the client would lose the answer: it is awaited briefly.
 */
function lingerForBody(socket: Socket, { entry, lingerMs }: { entry: Watched; lingerMs: number }): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const { incoming } = entry.asked ?? {};
    if (incoming === undefined || incoming.complete || socket.destroyed) return destroySoon();
    socket.end();
    const timer = setTimeout(destroySoon, lingerMs).unref();
    incoming
      .once("close", () => clearTimeout(timer))
      .once("end", destroySoon)
      .resume();
  };
}

/** False if the network of a connection is at its limit. */
function count(socket: Socket, limits: ConnectionLimits, counts: Map<string, number>): boolean {
  const { maxConnectionsPerAddress: max, isUncounted = isLoopback } = limits;
  const { remoteAddress } = socket;
  const address = toClientAddress({ remoteAddress, forwardedFor: null, trustedHops: 0 });
  if (max === 0 || isUncounted(address)) return true;
  const network = toNetwork(address);
  const present = counts.get(network) ?? 0;
  if (present >= max) return false;
  counts.set(network, present + 1);
  socket.once("close", () => {
    const left = (counts.get(network) ?? 1) - 1;
    if (left === 0) counts.delete(network);
    else counts.set(network, left);
  });
  return true;
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

/** One more check of the same window while fewer than `minBytes` have moved, else a new one. */
function toWindow(window: Window, { bytes, minBytes }: { bytes: number; minBytes: number }): Window {
  if (window === undefined || bytes - window.bytes >= minBytes) return { checks: 0, bytes };
  return { checks: window.checks + 1, bytes: window.bytes };
}

/** Whether the body is incomplete and only the client holds it up. */
function isBodyAwaited({ asked }: Watched): boolean {
  const incoming = asked?.incoming;
  if (incoming === undefined || incoming.complete || incoming.destroyed) return false;
  return incoming.readableLength < incoming.readableHighWaterMark;
}

/** Bytes of answers that the system accepted. For a long write in progress only the handle knows the number. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: WriteQueue | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}

type WriteQueue = { bytesWritten: number; writeQueueSize: number };

/** What a connection tells about its peer. */
type AddressFacts = {
  /** The socket's remote address; undefined without a socket. */
  remoteAddress?: string | undefined;
  /** The X-Forwarded-For header: each proxy appends the address of its caller. */
  forwardedFor: string | null;
  /** Number of trusted proxies before this server; see `TRUST_PROXY`. */
  trustedHops: number;
};

/**
 * The client's address: the socket's, unless proxies are trusted; then the address that called the outermost trusted
 * proxy. If the header has fewer entries, the first one. Empty without a socket.
 */
export function toClientAddress({ remoteAddress = "", forwardedFor, trustedHops }: AddressFacts): string {
  const socketAddress = toAddress(remoteAddress) ?? "";
  if (trustedHops === 0 || forwardedFor === null) return socketAddress;
  const hops = forwardedFor.split(",");
  const address = hops[Math.max(0, hops.length - trustedHops)];
  return toAddress(address ?? "") ?? socketAddress;
}

/** Groups the addresses that one client can have many of: the first 64 bits of an IPv6 address. */
export function toNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  return expand(address).slice(0, 4).join(":");
}

/** An address without port, brackets and zone; IPv4-mapped IPv6 as IPv4. Undefined if invalid. */
function toAddress(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = /^::ffff:([\d.]+)$/.exec(bare)?.[1] ?? bare.replace(/%.*/s, "");
  return isIP(address) === 0 ? undefined : address;
}

/** The eight groups of an IPv6 address, without leading zeros; an IPv4 tail counts as two. */
function expand(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const first = groupsOf(head);
  const last = groupsOf(tail ?? "");
  const width = last.at(-1)?.includes(".") ? last.length + 1 : last.length;
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - width) }, () => "0");
  return [...first, ...zeros, ...last].map((group) => group.replace(/^0+(?=.)/, ""));
}
