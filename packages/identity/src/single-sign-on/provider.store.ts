import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import type { Role, SignUp } from "@weft/schema";
import type { Kysely } from "kysely";

export type IdentityProviderRow = {
  id: string;
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Sealed as credentials are; empty for a public client. */
  clientSecret: string;
  scopes: string;
  /** JSON list of claimed domains. */
  domains: string;
  signUp: SignUp;
  defaultRole: Role | null;
  roleClaim: string;
  /** JSON list of `RoleRule`. */
  roleRules: string;
  isEnabled: number;
  createdDate: string;
  updatedDate: string;
};

declare module "@weft/database" {
  interface Tables {
    identityProviders: IdentityProviderRow;
  }
}

type Handle = Kysely<Tables>;

export const rows = defineRows<IdentityProviderRow>("identityProviders", "identity provider");

/** By name. */
export function allProviders(db: Handle) {
  return db.selectFrom("identityProviders").selectAll().orderBy("name").orderBy("id");
}

export function findProviderBySlug(db: Handle, slug: string): Promise<IdentityProviderRow | undefined> {
  return db.selectFrom("identityProviders").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function countProviders(db: Handle): Promise<number> {
  const counting = db.selectFrom("identityProviders").select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counting.executeTakeFirstOrThrow()).total);
}
