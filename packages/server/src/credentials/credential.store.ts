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

/** The columns with texts that are sealed with the keys. Those of credentials are never empty. */
const sealedColumns = [
  { table: "credentials", column: "encryptedData" },
  { table: "identityProviders", column: "clientSecret" },
  { table: "noticeChannels", column: "destination" },
] as const;

export type SealedText = { table: (typeof sealedColumns)[number]["table"]; id: string; name: string; sealed: string };

const anyTable = (db: Handle) => db as unknown as Kysely<Record<string, Record<string, string>>>;

/** Every sealed text, with the record that holds it, by table and id. */
export async function listSealed(db: Handle): Promise<SealedText[]> {
  const found: SealedText[] = [];
  for (const { table, column } of sealedColumns) {
    const query = anyTable(db)
      .selectFrom(table)
      .select(["id", "name", `${column} as sealed`])
      .where(column, "<>", "");
    const rows = (await query.orderBy("id").execute()) as unknown as Omit<SealedText, "table">[];
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

/** Replaces a sealed text unless it has changed meanwhile. To clients the record is the same. */
export async function replaceSealed(tx: Handle, { table, id, sealed }: SealedText, next: string): Promise<boolean> {
  const { column } = sealedColumns.find((each) => each.table === table) ?? sealedColumns[0];
  const updating = anyTable(tx)
    .updateTable(table)
    .set({ [column]: next })
    .where("id", "=", id);
  return (await updating.where(column, "=", sealed).returning("id").executeTakeFirst()) !== undefined;
}

/** Whether anything is sealed with the key. */
export async function isKeyInUse(db: Handle, keyId: string): Promise<boolean> {
  for (const { table, column } of sealedColumns) {
    const query = anyTable(db).selectFrom(table).select("id").where(column, "like", `${keyId}.%`).limit(1);
    if ((await query.executeTakeFirst()) !== undefined) return true;
  }
  return false;
}
