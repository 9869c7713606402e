import { ifFound } from "@weft/http";
import { type Identity, nameOf, ownerOf } from "@weft/http/identity";
import { coversHost, type Finding, toDestination, WeftError } from "@weft/schema";
import type { AgentParts, StoredReferences } from "../references/index.ts";
import type { Confirmer, CredentialService } from "./credential.service.ts";
import type { CredentialUse, CredentialUses, PlacedUse } from "./credential-uses.ts";

export type DestinationsDeps = {
  credentials: CredentialService;
  uses: CredentialUses;
  references: StoredReferences;
  /** Whether the operator allows a host, as `parseBoundHost` makes it, without TLS. */
  allowsPlain(host: string): boolean;
};

/** Where credentials may go: a new destination is a question, never a side effect (contract, "Identity"). */
export type Destinations = {
  /** Findings for uses in an agent that would be rejected, or that only a run can resolve. */
  check(agent: AgentParts): Promise<Finding[]>;
  /** Allows all readable destinations of these uses. Those that `by` may not allow stay questions. */
  confirm(uses: readonly CredentialUse[], by: Confirmer): Promise<void>;
};

export function createDestinations({ credentials, uses, references, allowsPlain }: DestinationsDeps): Destinations {
  async function checkUse({ credential: id, hosts, unreadable, nodeId }: PlacedUse): Promise<Finding[]> {
    const credential = await ifFound(credentials.get(id));
    if (credential === undefined) return [];
    const bound = [...credential.hosts, ...credential.impliedHosts];
    const unbound = hosts.filter((host) => !coversHost(bound, host, allowsPlain(host)));
    return [
      ...unbound.map((host) => {
        const bind = { credential: id, name: credential.name, host, destination: toDestination(host) };
        return { ...toQuestion(bind), nodeId, bind };
      }),
      ...unreadable.map((address) => ({ ...toUnknown({ name: credential.name, address, bound }), nodeId })),
    ];
  }

  return {
    async check(agent) {
      return (await Promise.all((await uses(references.ofAgent(agent), agent.apiConfig)).map(checkUse))).flat();
    },

    async confirm(confirmed, by) {
      const entries = Map.groupBy(confirmed, ({ credential }) => credential);
      for (const [id, of] of entries) {
        const hosts = of.flatMap((use) => use.hosts);
        if (hosts.length > 0) await credentials.confirm(id, { hosts, by }).catch(leaveQuestion);
      }
    },
  };
}

/** The save has succeeded: a credential that is gone, or is someone else's, becomes a finding. */
function leaveQuestion(cause: unknown): void {
  if (cause instanceof WeftError && ["not-found", "destination-not-yours"].includes(cause.code)) return;
  throw cause;
}

function toQuestion({ name, destination }: NonNullable<Finding["bind"]>) {
  return {
    level: "error" as const,
    code: "credential-destination-unconfirmed",
    message: `Its credential ${name} would be sent to ${destination}, which nobody has allowed, so the call will be refused. Allow it if the credential is meant for that host, or correct the address.`,
  };
}

function toUnknown({ name, address, bound }: { name: string; address: string; bound: readonly string[] }) {
  const list = bound.length === 0 ? "which has no hosts yet" : `which may be sent to ${bound.slice(0, 10).join(", ")}`;
  return {
    level: "warning" as const,
    code: "credential-host-unknown",
    message: `The host of ${address} is only known at run time, and it uses the credential ${name}, ${list}. Any other host is refused: add the intended hosts to the credential, or write the host in the address.`,
  };
}

/** The name for a confirmation, and the owner whose credentials an API key may confirm for. */
export function toConfirmer(identity: Identity): Confirmer {
  return { name: nameOf(identity) ?? "", owner: ownerOf(identity), isKey: identity.kind === "api-key" };
}
