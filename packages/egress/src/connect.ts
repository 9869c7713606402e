import { once } from "node:events";
import { createConnection, isIP, type Socket } from "node:net";
import { WeftError } from "@weft/schema";
import { checkAddress, checkHostname, type Destinations } from "./destination.ts";
import { toEgressError, transportLimitsMs } from "./failure.ts";

/** An open, paused TCP connection: nothing was read from it, so it can be passed to another process. */
export type EgressSocket = Socket;

/**
 * Opens a TCP connection for protocols other than HTTP, such as a database driver's. The name is resolved once, every
 * address is checked, and the connection is made to one of those very addresses; the operator's list allows others.
 * Rejects with `egress-refused`, `egress-failed`, `egress-timeout`, or the signal's reason.
 */
export type Connect = (host: string, port: number, signal: AbortSignal) => Promise<EgressSocket>;

export function createConnect(destinations: Destinations): Connect {
  return async (host, port, signal) => {
    const url = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
    if (url === null || /[/?#@\\\s]/.test(host)) throw invalid(host);
    try {
      const addresses = await findAddresses(url.hostname, port, destinations);
      signal.throwIfAborted();
      return await openFirst(addresses, port, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toEgressError(error, url, `${url.hostname}:${port}`);
    }
  };
}

async function findAddresses(hostname: string, port: number, { allowList, resolve }: Destinations) {
  const isAllowed = allowList.permits(hostname, port);
  if (!isAllowed) checkHostname(hostname);
  const bare = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
  if (!isAllowed) for (const address of addresses) checkAddress(address);
  if (addresses.length === 0) throw Object.assign(new Error(`No address of ${bare}`), { code: "ENOTFOUND" });
  return addresses;
}

/** Tries one address after the other, since a name may have unreachable ones. */
async function openFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await open(address, port, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

async function open(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = createConnection({ host: address, port, keepAlive: true, noDelay: true }).pause();
  const limit = AbortSignal.timeout(transportLimitsMs.connect);
  try {
    await once(socket, "connect", { signal: AbortSignal.any([signal, limit]) });
    return socket;
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw limit.aborted ? Object.assign(new Error("No answer"), { code: "ETIMEDOUT" }) : error;
  }
}

function invalid(host: string): WeftError {
  const url = host.slice(0, 200);
  return new WeftError("egress-failed", { params: { url, reason: "it is not a host name" }, retryable: false });
}
