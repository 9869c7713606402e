import type { Tables } from "@weft/database";
import { type ConfirmSave, ifFound, type SavedKind, type SaveRequest } from "@weft/http";
import { type Identity, nameOf, ownerOf } from "@weft/http/identity";
import {
  type Agent,
  type Assistant,
  coversHost,
  type Finding,
  type ModelChoice,
  toDestination,
  toJsonObject,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { type AgentParts, referencesOfChoice, referencesOfStore, toChoice } from "../references/index.ts";
import { allowsPlainEntry, createPlainRule } from "../vault.ts";
import type { Confirmer } from "./credential.service.ts";
import type { CredentialUse, CredentialUses, PlacedUse } from "./credential-uses.ts";

/** Where credentials may go: a new destination is a question, never a side effect (contract, "Identity"). */
export type Destinations = {
  /** Findings for uses in an agent that would be rejected, or that only a run can resolve. */
  check(agent: AgentParts): Promise<Finding[]>;
  /** Allows all readable destinations of these uses. Those that `by` may not allow stay questions. */
  confirm(uses: readonly CredentialUse[], by: Confirmer): Promise<void>;
};

export function createDestinations(
  { config }: Context,
  { credentials, credentialUses: uses, references }: Needs<"credentials" | "credentialUses" | "references">,
): Destinations {
  const allowsPlain = createPlainRule(config);

  async function checkUse({ credential: id, hosts, unreadable, nodeId }: PlacedUse): Promise<Finding[]> {
    const credential = await ifFound(credentials.get(id));
    if (credential === undefined) return [];
    const bound = [...credential.hosts, ...credential.impliedHosts];
    const unbound = hosts.filter((host) => !coversHost(bound, host, allowsPlainEntry(allowsPlain, host)));
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

type UsesOfSave = (saved: unknown, request: SaveRequest) => Promise<readonly CredentialUse[]>;

/** Confirms the destinations in saved items, for routes with `confirms`. */
export function createConfirmSave(
  { database: { read } }: Context,
  { credentialUses: uses, destinations, references }: Needs<"credentialUses" | "destinations" | "references">,
): ConfirmSave {
  const usesOf: Record<SavedKind, UsesOfSave> = {
    agent(saved) {
      const agent = saved as Agent;
      return uses(references.ofAgent(agent), agent.apiConfig);
    },
    assistant(saved) {
      const { credential, details } = saved as Assistant;
      return uses(referencesOfChoice({ credential, provider: details.provider }));
    },
    model: (choice) => uses(referencesOfChoice(choice as ModelChoice)),
    "document-store": (saved, request) => usesOfStore(read, uses, storeIdOf(saved, request)),
  };
  return async (kind, saved, request) => {
    await destinations.confirm(await usesOf[kind](saved, request), toConfirmer(request.identity));
  };
}

/**
 * A store is examined whole, whatever part of it was saved. Upserts save nothing that they have not already sent, so
 * they confirm nothing.
 */
async function usesOfStore(read: Kysely<Tables>, uses: CredentialUses, storeId: string) {
  const store = await read.selectFrom("documentStores").selectAll().where("id", "=", storeId).executeTakeFirst();
  if (store === undefined) return [];
  const loaders = read.selectFrom("documentLoaders").select(["loader", "loaderConfig"]).where("storeId", "=", storeId);
  return uses(referencesOfStore({ ...store, loaders: (await loaders.execute()).map(toChoice) }));
}

function storeIdOf(saved: unknown, { params, body }: SaveRequest): string {
  return [saved, params, body].map(storeIdIn).find((id) => id !== undefined) ?? "";
}

function storeIdIn(value: unknown): string | undefined {
  const { storeId, id } = toJsonObject(value);
  return [storeId, id].find((each) => typeof each === "string");
}
