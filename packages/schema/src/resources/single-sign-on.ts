import { z } from "zod";
import { roleSchema } from "./account.ts";
import { timestampSchema } from "./field.ts";

/** How people can sign in here, for the sign-in page. */
export const signInOptionsSchema = z
  .object({ providers: z.array(z.object({ slug: z.string(), name: z.string() })) })
  .meta({ id: "SignInOptions", examples: [{ providers: [{ slug: "okta", name: "Okta" }] }] });
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

const flowExample = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..Zk1yVGx0.dGhlIHNlY3JldA.c2lnbmF0dXJl";

/** A sign-in at a provider that has begun. */
export const signInStartSchema = z
  .object({
    url: z.string().meta({ description: "Where the browser goes" }),
    token: z.string().meta({
      description:
        "Send it with the provider's answer. Empty if the request had the header X-Weft-Session: cookie: then it is in a cookie that scripts cannot read",
    }),
    expiresAt: timestampSchema,
  })
  .meta({
    id: "SignInStart",
    examples: [
      {
        url: "https://example.okta.com/authorize?client_id=0oa1b2c3d4&response_type=code",
        token: flowExample,
        expiresAt: "2025-01-31T12:10:00.000Z",
      },
    ],
  });
export type SignInStart = z.infer<typeof signInStartSchema>;

/** What a provider answered, as its redirect brought it. */
export const signInAnswerSchema = z
  .object({
    answer: z.string().max(8_192).meta({ description: "The query of the redirect's address" }),
    token: z.string().max(8_192).default("").meta({ description: "Of the start, unless it is in a cookie" }),
  })
  .meta({ id: "SignInAnswer", examples: [{ answer: "code=Zk1yVGx0&state=c2lnbmF0dXJl", token: flowExample }] });
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** An account at a provider with which someone signs in. */
export const accountIdentitySchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    issuer: z.string(),
    provider: z.string().meta({ description: "The provider's name; its address if it was removed" }),
    email: z.string().meta({ description: "The address that the provider names, or nothing" }),
    createdDate: timestampSchema,
    usedDate: timestampSchema,
  })
  .meta({
    id: "AccountIdentity",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        issuer: "https://example.okta.com",
        provider: "Okta",
        email: "ada@example.com",
        createdDate: "2025-01-31T12:00:00.000Z",
        usedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type AccountIdentity = z.infer<typeof accountIdentitySchema>;

/** What a provider says of someone, and what a sign-in would make of it. */
export const signInTrialSchema = z
  .object({
    claims: z.record(z.string(), z.unknown()),
    role: roleSchema.nullable().meta({ description: "The role that the provider's settings give; null: none" }),
  })
  .meta({
    id: "SignInTrial",
    examples: [{ claims: { sub: "00u1", email: "ada@example.com", groups: ["weft-editors"] }, role: "editor" }],
  });
export type SignInTrial = z.infer<typeof signInTrialSchema>;
