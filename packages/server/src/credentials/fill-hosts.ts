import type { Tables } from "@weft/database";
import { coversHost, toDestination } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { readConfirmations, readHosts } from "./credential.store.ts";
import type { CredentialUse } from "./credential-uses.ts";

type UsesNeeds = Needs<"credentialUses" | "references">;

/**
 * Enters, once, what earlier credentials were allowed: for those that predate the lists of hosts, everything that uses
 * them; for those that predate confirmations, that flows call a host of theirs without TLS. Processes that start
 * together enter the same.
 */
export async function fillHosts(
  { database: { read }, logger }: Context,
  { credentials, ...named }: Needs<"credentials" | "credentialUses" | "references">,
): Promise<void> {
  const old = read.selectFrom("credentials").select(["id", "name", "hosts"]);
  const unfilled = await old
    .where(({ eb, or }) => or([eb("hosts", "is", null), eb("confirmations", "is", null)]))
    .execute();
  if (unfilled.length === 0) return;
  const uses = (await storedUses(read, named)).filter(({ isDraft }) => !isDraft);
  for (const { id, name, hosts: listed } of unfilled) {
    const own = uses.filter((use) => use.credential === id);
    const used = [...new Set(own.flatMap((use) => use.hosts))];
    if (listed !== null) {
      await credentials.adopt(id, withoutTls(used, readHosts(listed)));
      continue;
    }
    await credentials.adopt(id, used);
    const shown = used.length === 0 ? "no host, as nothing uses it with an address" : used.join(", ");
    logger.info("credential-hosts-entered", { credentialId: id, reason: `${name} may now be sent to: ${shown}.` });
    const places = placesOf(own, id);
    if (places.length === 0) continue;
    logger.warn("credential-hosts-unreadable", {
      credentialId: id,
      count: places.length,
      reason: `Only a run can tell where ${name} is sent by ${places.slice(0, 20).join("; ")}. Add the hosts that are meant to the credential.`,
    });
  }
}

/** Hosts in use that are called without TLS and were allowed when that made no difference. */
function withoutTls(used: readonly string[], hosts: readonly string[]): string[] {
  return used.filter((host) => host.startsWith("http://") && coversHost(hosts, host.slice("http://".length)));
}

export type UnreadableAddresses = { id: string; name: string; hosts: string[]; places: string[] };

/** Credentials, by name, whose destination only a run can resolve: where that is, and the hosts they are bound to. */
export async function findUnreadableAddresses(read: Kysely<Tables>, needs: UsesNeeds): Promise<UnreadableAddresses[]> {
  const uses = await storedUses(read, needs);
  const credentials = await read.selectFrom("credentials").select(["id", "name", "hosts"]).orderBy("name").execute();
  return credentials
    .map(({ id, name, hosts }) => ({
      id,
      name,
      hosts: readHosts(hosts),
      places: placesOf(uses, id),
    }))
    .filter(({ places }) => places.length > 0);
}

export type UnconfirmedDestinations = {
  id: string;
  name: string;
  destinations: { destination: string; places: string[] }[];
};

/** Credentials, by name, with destinations that were entered before they needed approval, and their uses. */
export async function findUnconfirmedDestinations(
  read: Kysely<Tables>,
  needs: UsesNeeds,
): Promise<UnconfirmedDestinations[]> {
  const rows = await read
    .selectFrom("credentials")
    .select(["id", "name", "hosts", "confirmations"])
    .orderBy("name")
    .execute();
  const old = rows.map(({ hosts, confirmations, ...row }) => {
    const confirmed = readConfirmations(confirmations);
    return { ...row, hosts: readHosts(hosts).filter((host) => !Object.hasOwn(confirmed, host)) };
  });
  const unconfirmed = old.filter(({ hosts }) => hosts.length > 0);
  if (unconfirmed.length === 0) return [];
  const uses = await storedUses(read, needs);
  return unconfirmed.map(({ id, name, hosts }) => ({
    ...{ id, name },
    destinations: hosts.map((host) => ({
      destination: toDestination(host),
      places: uses.filter((use) => use.credential === id && use.hosts.includes(host)).map(({ place }) => place),
    })),
  }));
}

function placesOf(uses: readonly StoredUse[], id: string): string[] {
  const unclear = uses.filter(({ credential, unreadable }) => credential === id && unreadable.length > 0);
  return unclear.map(({ place, unreadable }) => `${place}: ${unreadable.join(", ")}`);
}

type StoredUse = CredentialUse & { place: string; isDraft: boolean };

/** Credential uses of every stored agent, its draft, assistant, document store and the default model. */
export async function storedUses(
  read: Kysely<Tables>,
  { credentialUses: uses, references }: UsesNeeds,
): Promise<StoredUse[]> {
  const found: StoredUse[] = [];
  for await (const { resource, id, name, isDraft, apiConfig, references: named } of references.all(read)) {
    const what = `${isDraft ? "draft of the " : ""}${resource.replace("-", " ")}`;
    const place = id === "" ? `the ${what}` : `${what} ${name} (${id})`;
    found.push(...(await uses(named, apiConfig)).map((use) => ({ ...use, place, isDraft })));
  }
  return found;
}
