import { emailInputSchema, type IdentityProvider, type JsonObject, type Role, roles } from "@weft/schema";
import { findClaim } from "./oidc-client.ts";

/** What a provider's claims mean by its settings. */
export type Claimed = {
  /** In lower case; undefined if there is none, or it is none. */
  email: string | undefined;
  /** Whether the provider says that the person has proved to receive mail there. Undefined: it does not say. */
  isVerified: boolean | undefined;
  /** Whether the address is of a domain that the provider's settings claim. */
  isOfDomain: boolean;
  name: string;
  /** The role by the provider's settings; undefined if it gives none. */
  role: Role | undefined;
};

export function readClaims(provider: IdentityProvider, claims: JsonObject): Claimed {
  const email = emailInputSchema.safeParse(claims.email).data;
  const domain = email?.slice(email.lastIndexOf("@") + 1) ?? "";
  const { email_verified: verified, name } = claims;
  return {
    email,
    // Some providers send the text.
    isVerified: verified === undefined ? undefined : verified === true || verified === "true",
    isOfDomain: provider.domains.includes(domain),
    name: typeof name === "string" ? name.trim().slice(0, 200) : "",
    role: roleOf(provider, claims),
  };
}

/** The role with the most rights among those whose rules match, or else the default. */
function roleOf({ roleClaim, roleRules, defaultRole }: IdentityProvider, claims: JsonObject): Role | undefined {
  const given = roleClaim === "" ? undefined : findClaim(claims, roleClaim);
  const values = new Set(Array.isArray(given) ? given : [given]);
  const matching = roleRules.filter(({ value }) => values.has(value)).map(({ role }) => role);
  return roles.find((role) => matching.includes(role)) ?? defaultRole ?? undefined;
}
