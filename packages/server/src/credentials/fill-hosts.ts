import type { Tables } from "@weft/database";
import type { Logger } from "@weft/http/logger";
import type { Json } from "@weft/schema";
import type { Kysely } from "kysely";
import type { CredentialService } from "./credential.service.ts";
import {
  type CredentialUse,
  type CredentialUses,
  type CredentialUsesDeps,
  createCredentialUses,
} from "./host-binding.ts";

export type FillHostsDeps = {
  read: Kysely<Tables>;
  credentials: CredentialService;
  binding: CredentialUses;
  logger: Logger;
};

/**
 * Enters the hosts of credentials that are older than the lists, from everything that uses them, once. Says for each
 * credential what was entered and what could not be read. Processes that start together enter the same.
 */
export async function fillHosts({ read, credentials, binding, logger }: FillHostsDeps): Promise<void> {
  const unfilled = await read.selectFrom("credentials").select(["id", "name"]).where("hosts", "is", null).execute();
  if (unfilled.length === 0) return;
  const uses = await storedUses(read, binding);
  for (const { id, name } of unfilled) {
    const own = uses.filter((use) => use.credential === id);
    const hosts = [...new Set(own.flatMap((use) => use.hosts))];
    await credentials.addHosts(id, hosts);
    const listed = hosts.length === 0 ? "no host, as nothing uses it with an address" : hosts.join(", ");
    logger.info("credential-hosts-entered", { credentialId: id, reason: `${name} may now be sent to: ${listed}.` });
    const places = placesOf(own, id);
    if (places.length === 0) continue;
    logger.warn("credential-hosts-unreadable", {
      credentialId: id,
      count: places.length,
      reason: `Only a run can tell where ${name} is sent by ${places.slice(0, 20).join("; ")}. Add the hosts that are meant to the credential.`,
    });
  }
}

export type UnreadableAddresses = { id: string; name: string; hosts: string[]; places: string[] };

/** Credentials, by name, whose use leads where only a run can tell: where that is, and to which hosts they are bound. */
export async function findUnreadableAddresses(
  read: Kysely<Tables>,
  deps: CredentialUsesDeps,
): Promise<UnreadableAddresses[]> {
  const uses = await storedUses(read, createCredentialUses(deps));
  const credentials = await read.selectFrom("credentials").select(["id", "name", "hosts"]).orderBy("name").execute();
  return credentials
    .map(({ id, name, hosts }) => ({
      id,
      name,
      hosts: JSON.parse(hosts ?? "[]") as string[],
      places: placesOf(uses, id),
    }))
    .filter(({ places }) => places.length > 0);
}

function placesOf(uses: readonly StoredUse[], id: string): string[] {
  const unclear = uses.filter(({ credential, unreadable }) => credential === id && unreadable.length > 0);
  return unclear.map(({ place, unreadable }) => `${place}: ${unreadable.join(", ")}`);
}

type StoredUse = CredentialUse & { place: string };

/** What every stored agent, assistant, document store and the chosen model do with credentials. */
async function storedUses(read: Kysely<Tables>, binding: CredentialUses): Promise<StoredUse[]> {
  const uses: StoredUse[] = [];
  const add = (place: string, found: readonly CredentialUse[]) => uses.push(...found.map((use) => ({ ...use, place })));
  const settings = async (place: string, value: Json) => add(place, await binding.usesOfSettings(value));

  const agents = await read
    .selectFrom("agents")
    .select(["id", "name", "flowData", "apiConfig", "speechToText"])
    .execute();
  for (const agent of agents) add(`agent ${agent.name} (${agent.id})`, await binding.usesOfAgent(agent));
  const assistants = await read
    .selectFrom("assistants")
    .innerJoin("agentVersions", "agentVersions.id", "assistants.versionId")
    .select(["assistants.id", "agentVersions.flowData"])
    .execute();
  for (const { id, flowData } of assistants) add(`assistant ${id}`, await binding.usesOfAgent({ flowData }));
  const stores = await read
    .selectFrom("documentStores")
    .select(["id", "name", "embeddingConfig", "vectorStoreConfig"])
    .execute();
  for (const { id, name, ...configs } of stores) await settings(`document store ${name} (${id})`, configs);
  const loaders = await read.selectFrom("documentLoaders").select(["id", "loader", "loaderConfig"]).execute();
  for (const { id, loader, loaderConfig } of loaders) {
    await settings(`loader ${id}`, { name: loader, config: JSON.parse(loaderConfig) as Json });
  }
  const chosen = await read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "default-model")
    .executeTakeFirst();
  if (chosen !== undefined) await settings("the default model", chosen.value);
  return uses;
}
