import { isIP, type LookupFunction } from "node:net";
import type { buildConnector } from "undici";
import type { AllowList } from "./allow-list.ts";
import { checkAddress } from "./destination.ts";
import type { ResolveHost } from "./resolve-host.ts";

export type ConnectorDeps = {
  buildConnector: typeof buildConnector;
  allowList: AllowList;
  resolve: ResolveHost;
  /** For TCP and TLS together. */
  connectTimeoutMs: number;
};

/**
 * Opens connections to checked addresses only: the name is resolved once, every address is checked, and the socket
 * connects to one of those very addresses, so a name that changes between check and connect gains nothing.
 * One forbidden address among several refuses the name.
 */
export function createCheckedConnector(deps: ConnectorDeps): buildConnector.connector {
  const options = { allowH2: false, timeout: deps.connectTimeoutMs, keepAlive: true };
  const checked = deps.buildConnector({ ...options, lookup: createLookup(deps.resolve, checkAddress) });
  const permitted = deps.buildConnector({ ...options, lookup: createLookup(deps.resolve, () => {}) });
  return (target, callback) => {
    if (isPermitted(deps.allowList, target)) return permitted(target, callback);
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
