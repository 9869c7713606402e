import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type ErrorCode, WeftError } from "@weft/schema";
import { sendLive } from "./answer/live-body.ts";
import { type ConnectionGuard, type ConnectionLimits, guardConnections } from "./connection-guard.ts";
import type { HttpApp } from "./create-http-app.ts";
import { type Caller, createRequestTurns } from "./request-turns.ts";
import type { Connection } from "./route/exchange.ts";

/** The server cannot listen on the address. The message tells the operator what to do. */
export class ListenError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "ListenError";
  }
}

export type ListenOptions = {
  host: string;
  /** 0: any free port. */
  port: number;
  timeouts?: Partial<ConnectionTimeouts>;
  limits?: Partial<ConnectionLimits>;
};

export type ConnectionTimeouts = {
  /** From the first byte of a request to the end of its headers. Default 15 s. */
  headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. Default 5 min. */
  requestTimeoutMs: number;
  /** Between two requests on one connection. Default 65 s, longer than usual proxies wait. */
  keepAliveTimeoutMs: number;
  /** How long a client may read nothing of an answer, or send nothing of a body. Default 60 s. */
  stallMs: number;
  /** How long a connection stays after its last answer was sent, for a client that does not close it. Default 2 s. */
  lingerMs: number;
  /** How often these are checked. Default 5 s. */
  checkIntervalMs: number;
};

export type Listening = {
  /** Its URL on this machine, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Accepts no new connections, waits for running requests, and cuts off those that outlast `graceMs`. */
  close(options: { graceMs: number }): Promise<void>;
};

const defaultTimeouts: ConnectionTimeouts = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 65_000,
  stallMs: 60_000,
  lingerMs: 2_000,
  checkIntervalMs: 5_000,
};

const defaultLimits: ConnectionLimits = { maxConnections: 10_000, maxConnectionsPerAddress: 0 };

/** Serves an application over HTTP/1.1. Rejects with `ListenError` if the port is taken or forbidden. */
export async function listen(app: HttpApp, { host, port, timeouts, limits }: ListenOptions): Promise<Listening> {
  const server = createHttpServer(app, { ...defaultTimeouts, ...timeouts }, { ...defaultLimits, ...limits });
  await startListening(server, { host, port });
  const actualPort = (server.address() as AddressInfo).port;
  return {
    port: actualPort,
    url: `http://${toReachable(host)}:${actualPort}`,
    close: ({ graceMs }) => closeGracefully(server, graceMs),
  };
}

/** The host for a URL. Browsers cannot open the wildcard address. */
function toReachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function createHttpServer(app: HttpApp, timeouts: ConnectionTimeouts, limits: ConnectionLimits): Server {
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await app.fetch(request, toConnection(incoming));
      return sendLive(response, outgoing as ServerResponse) ? RESPONSE_ALREADY_SENT : response;
    },
    {
      errorHandler: () =>
        app.refuse(new WeftError("request-malformed", { params: { reason: "its address is malformed" } })),
    },
  );
  const turns = createRequestTurns();
  const server = createServer(
    {
      headersTimeout: timeouts.headersTimeoutMs,
      requestTimeout: timeouts.requestTimeoutMs,
      keepAliveTimeout: timeouts.keepAliveTimeoutMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
    },
    (request, response) =>
      turns.take(toCaller(request), () => {
        if (!request.socket.destroyed) void listener(request, response);
      }),
  );
  const refuse = async (socket: Socket, error: WeftError) =>
    guard.endSoon(socket, await toRawAnswer(app.refuse(error)));
  // Made once, so that rejecting thousands of connections costs nothing.
  let tooMany: Promise<string> | undefined;
  const guard: ConnectionGuard = guardConnections(server, {
    ...timeouts,
    limits,
    refuseBeyondLimit: async (socket) => {
      tooMany ??= toRawAnswer(app.refuse(tooManyConnections()));
      guard.endSoon(socket, await tooMany);
    },
    refuseStalled: (socket) => void refuse(socket, new WeftError("request-timeout")),
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else if (error.code === requestTimeout && guard.mayBeWaiting(socket as Socket)) return;
    else turns.take({ address: "", isRead: false }, () => void refuse(socket as Socket, toRefusal(error)));
  });
  return server;
}

function toCaller({ method, socket }: IncomingMessage): Caller {
  return { address: socket.remoteAddress ?? "", isRead: method === "GET" || method === "HEAD" };
}

/** A GET's body is only passed to routes that ask for it. */
function toConnection(incoming: IncomingMessage | Http2ServerRequest): Connection {
  return {
    remoteAddress: incoming.socket.remoteAddress,
    get bodyOfGet() {
      const { method, headers } = incoming;
      const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
      if (method !== "GET" || !hasBody) return undefined;
      return Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    },
  };
}

/** Connections that the system keeps until they are accepted; beyond it, clients try again after a second. */
const backlog = 4_096;

function startListening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new ListenError(explain(error, host, port), error));
    });
    server.listen({ host, port, backlog }, resolve);
  });
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === "EADDRINUSE") return `Port ${port} is in use. Stop the other program, or set PORT to another number.`;
  if (code === "EACCES") return `This user is not allowed to use port ${port}. Set PORT to a number above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is not an address of this machine. Correct HOST.`;
  return `Cannot listen on ${host}:${port}: ${message}.`;
}

function tooManyConnections(): WeftError {
  const message =
    "Too many connections are open from this address. Close some and try again in 5 seconds. The operator can raise MAX_CONNECTIONS_PER_ADDRESS, and should set TRUST_PROXY if the server runs behind a proxy.";
  return new WeftError("rate-limited", { params: { retryAfterSeconds: 5 }, message });
}

/** An answer as raw HTTP, for a connection on which no request was read. */
async function toRawAnswer(response: Response): Promise<string> {
  const body = await response.text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const length = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n`;
  return `HTTP/1.1 ${response.status} Refused\r\n${headers}${length}\r\n${body}`;
}

/** Node's code for a request that took too long to arrive. */
const requestTimeout = "ERR_HTTP_REQUEST_TIMEOUT";

function toRefusal(error: NodeJS.ErrnoException): WeftError {
  return new WeftError(codeFor(error), { params: { reason: "it cannot be parsed" }, cause: error });
}

function codeFor({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "headers-too-large";
  return code === requestTimeout ? "request-timeout" : "request-malformed";
}

async function closeGracefully(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
