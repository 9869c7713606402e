import { z } from "zod";
import { roleSchema } from "./account.ts";
import { timestampSchema, uuidSchema } from "./field.ts";

/** Whom a provider may make an account for: nobody, people with an address of its claimed domains, or all it knows. */
export const signUpSchema = z.enum(["nobody", "domains", "anyone"]);
export type SignUp = z.infer<typeof signUpSchema>;

/** A value of the role claim, and the role that it stands for. */
const roleRuleSchema = z.object({ value: z.string().trim().min(1).max(200), role: roleSchema });
export type RoleRule = z.infer<typeof roleRuleSchema>;

const example = {
  slug: "okta",
  name: "Okta",
  issuer: "https://example.okta.com",
  clientId: "0oa1b2c3d4",
  scopes: "openid email profile groups",
  domains: ["example.com"],
  signUp: "domains",
  defaultRole: "viewer",
  roleClaim: "groups",
  roleRules: [{ value: "weft-editors", role: "editor" }],
  isEnabled: true,
} as const;

/** Where people sign in by OpenID Connect. Its client secret is never returned. */
export const identityProviderSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    slug: z.string().meta({ description: "Its name in addresses: the redirect URI is `/sign-in/<slug>`" }),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    hasClientSecret: z.boolean(),
    scopes: z.string(),
    domains: z.array(z.string()).meta({
      description:
        "Accounts with an address of these domains, owners excepted, belong to whom the provider says has verified it",
    }),
    signUp: signUpSchema,
    defaultRole: roleSchema.nullable().meta({ description: "The role of those for whom no rule says another" }),
    roleClaim: z.string().meta({
      description: "The claim that roles are read from at each sign-in, such as `groups`. Empty: roles are given here",
    }),
    roleRules: z.array(roleRuleSchema),
    isEnabled: z.boolean(),
    source: z
      .enum(["environment", "stored"])
      .meta({ description: "`environment`: set by `OIDC_ISSUER`, and changed there alone" }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "IdentityProvider",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        ...example,
        domains: [...example.domains],
        roleRules: [...example.roleRules],
        hasClientSecret: true,
        source: "stored",
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type IdentityProvider = z.infer<typeof identityProviderSchema>;

/** An issuer identifier: an address without query or fragment (OpenID Connect Discovery 1.0, section 2). */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return !/[?#]/.test(text) && url.username === "" && url.password === "";
}

const slugSchema = z
  .string()
  .trim()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be 1 to 40 lower-case letters, digits and hyphens");

const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, "must be a domain such as example.com");

const scopesSchema = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must be scopes, separated by single spaces")
  .refine((scopes) => scopes.split(" ").includes("openid"), "must contain openid");

const fields = {
  slug: slugSchema,
  name: z.string().trim().min(1, "must not be empty").max(100),
  issuer: z
    .string()
    .trim()
    .max(1_000)
    .refine(isIssuer, "must be an address such as https://example.okta.com, without ? and #"),
  clientId: z.string().trim().min(1, "must not be empty").max(500),
  clientSecret: z.string().max(2_000),
  scopes: scopesSchema,
  domains: z.array(domainSchema).max(100),
  signUp: signUpSchema,
  defaultRole: roleSchema.exclude(["owner"]).nullable(),
  roleClaim: z.string().trim().max(200),
  roleRules: z.array(roleRuleSchema).max(200),
  isEnabled: z.boolean(),
};

/** `clientSecret` empty: a public client, which proves itself by PKCE alone. */
export const identityProviderCreateSchema = z
  .object({
    ...fields,
    id: uuidSchema.optional(),
    clientSecret: fields.clientSecret.default(""),
    scopes: fields.scopes.default("openid email profile"),
    domains: fields.domains.default([]),
    signUp: fields.signUp.default("nobody"),
    defaultRole: fields.defaultRole.default(null),
    roleClaim: fields.roleClaim.default(""),
    roleRules: fields.roleRules.default([]),
    isEnabled: fields.isEnabled.default(true),
  })
  .meta({
    id: "IdentityProviderCreate",
    examples: [
      {
        ...example,
        domains: [...example.domains],
        roleRules: [...example.roleRules],
        clientSecret: "a secret of the provider",
      },
    ],
  });
export type IdentityProviderCreate = z.infer<typeof identityProviderCreateSchema>;

/** Absent fields stay unchanged, the secret included. */
export const identityProviderUpdateSchema = z
  .object(fields)
  .partial()
  .meta({ id: "IdentityProviderUpdate", examples: [{ signUp: "domains", domains: ["example.com"] }] });
export type IdentityProviderUpdate = z.infer<typeof identityProviderUpdateSchema>;
