import { isIP, type LookupFunction } from "node:net";
import type { HttpClient, HttpExchange } from "@weft/engine/ports/http-client";
import type { buildConnector } from "undici";
import { createAnswerTurns } from "./answer-turns.ts";
import { type EgressDefaults, standardDefaults } from "./call.ts";
import { type Connect, createConnect } from "./connect.ts";
import {
  type AllowList,
  checkAddress,
  createAllowList,
  type Destinations,
  type ResolveHost,
  resolveBySystem,
} from "./destination.ts";
import { transportLimitsMs } from "./failure.ts";
import { createFetch, type Fetch } from "./fetch.ts";
import { type AnswerDeps, createFindRedactors } from "./live-answer.ts";
import { createLiveExchange } from "./live-exchange.ts";
import { createRequest } from "./request.ts";
import { createSecretVault, type SecretVault } from "./secret-vault.ts";

export type EgressOptions = {
  /** `host:port` entries that may be called whatever they resolve to: see `createAllowList`. */
  allow: readonly string[];
  /** Resolves placeholders for secrets in requests. Default: none. */
  vault?: SecretVault;
  /** Default: the operating system's resolver. */
  resolve?: ResolveHost;
  defaults?: Partial<EgressDefaults>;
};

export type EgressClient = HttpClient & {
  /**
   * Standard `fetch` for libraries that take one: streamed answers, abort by signal. Differences: it ends after
   * `fetchTimeoutMs`, and when a body stalls or an event stream has endless lines; failures are `WeftError`s with
   * `egress-*` codes, bodies are limited, and redirects across origins keep no header that could be a credential.
   */
  fetch: Fetch;
  /** The leanest form, with the protections and limits of `fetch`. */
  exchange: HttpExchange;
  /** The secret behind a placeholder, for signing: like `SecretVault.reveal`. */
  reveal: SecretVault["reveal"];
  /** A connection for protocols other than HTTP, to a checked address. The caller closes it. */
  connect: Connect;
  /** Drops every connection; calls in progress fail. */
  close(): Promise<void>;
};

/**
 * The one HTTP client that leaves the process. Every hop of every call goes to a checked address, over a connection
 * made to that very address; see `describeRefusedAddress` for what is refused.
 * Secrets replace their placeholders only here, and are redacted from whatever comes back.
 * Connections are kept and shared; the HTTP library is loaded by the first call.
 * Throws a `RangeError` if an `allow` entry is not `host:port`.
 */
export function createEgressClient(options: EgressOptions): EgressClient {
  const defaults: EgressDefaults = { ...standardDefaults, ...options.defaults };
  const { resolve = resolveBySystem, vault = createSecretVault() } = options;
  const destinations = { allowList: createAllowList(options.allow), resolve };
  let opened: Promise<AnswerDeps> | undefined;
  const open = () => {
    opened ??= openAgent(destinations, vault);
    return opened;
  };
  return {
    request: createRequest(open, defaults),
    fetch: createFetch(open, defaults),
    exchange: createLiveExchange(open, defaults),
    reveal: vault.reveal,
    connect: createConnect(destinations),
    async close() {
      if (opened !== undefined) await (await opened).agent.destroy();
    },
  };
}

/** Connections to one origin at a time; further calls wait. More than there are runs: they are what is limited. */
const maxConnectionsPerOrigin = 4_096;

/** All headers of an answer together. */
const maxHeaderBytes = 16 * 1024;

async function openAgent(destinations: Destinations, vault: SecretVault): Promise<AnswerDeps> {
  const { Agent, buildConnector } = await import("undici");
  const { allowList } = destinations;
  const agent = new Agent({
    connect: createCheckedConnector(buildConnector, destinations),
    connections: maxConnectionsPerOrigin,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: transportLimitsMs.headers,
    bodyTimeout: transportLimitsMs.body,
  });
  return { agent, turns: createAnswerTurns(), allowList, vault, findRedactors: createFindRedactors(vault) };
}

/**
 * Opens connections to checked addresses only: the name is resolved once, every address is checked, and the socket
 * connects to one of those very addresses, so a name that changes between check and connect gains nothing.
 * One forbidden address among several refuses the name.
 */
function createCheckedConnector(
  build: typeof buildConnector,
  { allowList, resolve }: Destinations,
): buildConnector.connector {
  // The time is for TCP and TLS together.
  const options = { allowH2: false, timeout: transportLimitsMs.connect, keepAlive: true };
  const checked = build({ ...options, lookup: createLookup(resolve, checkAddress) });
  const permitted = build({ ...options, lookup: createLookup(resolve, () => {}) });
  return (target, callback) => {
    if (isPermitted(allowList, target)) return permitted(target, callback);
    // A literal address is connected to without a lookup.
    if (isIP(target.hostname) !== 0) checkAddress(target.hostname);
    checked(target, callback);
  };
}

function isPermitted(allowList: AllowList, target: buildConnector.Options): boolean {
  const hostname = isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname;
  const defaultPort = target.protocol === "https:" ? 443 : 80;
  return allowList.permits(hostname, target.port === "" ? defaultPort : Number(target.port));
}

function createLookup(resolve: ResolveHost, check: (address: string) => void): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, resolve, check).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else if (first !== undefined) callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolveChecked(hostname: string, resolve: ResolveHost, check: (address: string) => void) {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) {
    throw Object.assign(new Error(`No address of ${hostname}`), { code: "ENOTFOUND" });
  }
  for (const address of addresses) check(address);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
