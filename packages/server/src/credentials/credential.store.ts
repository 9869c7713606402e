import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import { parseTextList } from "@weft/schema";
import type { Kysely } from "kysely";
import { z } from "zod";

export type CredentialRow = {
  id: string;
  name: string;
  credentialName: string;
  /** AES-256-GCM: key id, nonce, ciphertext and tag, base64. */
  encryptedData: string;
  /** JSON list of the hosts that it is bound to; null until those that flows use are entered, once. */
  hosts: string | null;
  /** JSON object of who allowed a host and when, by its entry in `hosts`; null until earlier hosts were examined. */
  confirmations: string | null;
  /** Creator, as `ownerOf` returns it; null if unknown. */
  createdBy: string | null;
  createdDate: string;
  updatedDate: string;
};

declare module "@weft/database" {
  interface Tables {
    credentials: CredentialRow;
  }
}

/** Hosts that it is bound to; none until they are entered. */
export function readHosts(hosts: CredentialRow["hosts"]): string[] {
  return hosts === null ? [] : parseTextList(hosts);
}

const confirmationsSchema = z.record(z.string(), z.object({ by: z.string(), at: z.string() }));

/** Who allowed a host, and when. */
export function readConfirmations(confirmations: CredentialRow["confirmations"]): z.infer<typeof confirmationsSchema> {
  return confirmations === null ? {} : confirmationsSchema.parse(JSON.parse(confirmations));
}

type Handle = Kysely<Tables>;

export type CredentialFilter = { credentialName?: readonly string[] | undefined };

export const rows = defineRows<CredentialRow>("credentials", "credential");

/** Most recently updated first. */
export function allCredentials(db: Handle, { credentialName }: CredentialFilter) {
  const found = db.selectFrom("credentials").selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return credentialName === undefined ? found : found.where("credentialName", "in", credentialName);
}

/** Sorted. */
export async function listCredentialIds(db: Handle): Promise<string[]> {
  return (await db.selectFrom("credentials").select("id").orderBy("id").execute()).map(({ id }) => id);
}

/** Whether any credential is sealed with the key. */
export async function isKeyInUse(db: Handle, keyId: string): Promise<boolean> {
  const query = db.selectFrom("credentials").select("id").where("encryptedData", "like", `${keyId}.%`).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}
