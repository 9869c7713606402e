import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Providers by which people sign in, and which account each of their people has. */
export async function createIdentityProviders(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "identityProviders",
    columns: {
      id: "key",
      slug: "text",
      name: "text",
      issuer: "text",
      clientId: "text",
      clientSecret: "text",
      scopes: "text",
      domains: "text",
      signUp: "text",
      defaultRole: "nullable-text",
      roleClaim: "text",
      roleRules: "text",
      isEnabled: "integer",
      createdDate: "text",
      updatedDate: "text",
    },
  });
  await db.schema.createIndex("identityProvidersBySlug").unique().on("identityProviders").column("slug").execute();
  await createTable(db, types, {
    name: "accountIdentities",
    columns: {
      issuer: "key",
      subject: "key",
      id: "text",
      accountId: "text",
      email: "text",
      createdDate: "text",
      usedDate: "text",
    },
  });
  await db.schema
    .createIndex("accountIdentitiesByAccount")
    .on("accountIdentities")
    .columns(["accountId", "id"])
    .execute();
}
