import { z } from "zod";
import { timestampSchema } from "./field.ts";

/** The roles that exist, the one with the most rights first. What each may do: docs/teams.md. */
export const roles = ["owner", "admin", "editor", "operator", "analyst", "viewer"] as const;
export const roleSchema = z.enum(roles);
export type Role = z.infer<typeof roleSchema>;

/** Someone who logs in. */
export const accountSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    hasPassword: z.boolean().meta({ description: "False: it signs in at a provider alone" }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Account",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        email: "ada@example.com",
        name: "Ada",
        role: "owner",
        hasPassword: true,
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Account = z.infer<typeof accountSchema>;

/** Normalised to lower case: one mailbox, one account. */
export const emailInputSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address")
  .meta({ format: "email" });

/** Allows long passphrases; the upper limit only bounds the cost of hashing. */
export const passwordInputSchema = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(1_000)
  .meta({ examples: ["correct horse battery staple"] });

export const loginSchema = z
  .object({ email: z.string().trim().toLowerCase().min(1).max(320), password: z.string().min(1).max(1_000) })
  .meta({ id: "Login", examples: [{ email: "ada@example.com", password: "correct horse battery staple" }] });
export type Login = z.infer<typeof loginSchema>;

export const setupSchema = z
  .object({
    token: z.string().min(1).max(200).meta({ description: "The one-time token that the server printed at startup" }),
    email: emailInputSchema,
    password: passwordInputSchema,
    name: z.string().max(200).optional(),
  })
  .meta({
    id: "Setup",
    examples: [
      {
        token: "jMz4kzdbcBQ5sRqS8PPIEKQcdGQVhxZE",
        email: "ada@example.com",
        password: "correct horse battery staple",
        name: "Ada",
      },
    ],
  });
export type Setup = z.infer<typeof setupSchema>;

export const passwordChangeSchema = z
  .object({ currentPassword: z.string().min(1).max(1_000), newPassword: passwordInputSchema })
  .meta({
    id: "PasswordChange",
    examples: [{ currentPassword: "correct horse battery staple", newPassword: "a better passphrase than the last" }],
  });
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** A token and its account. */
export const sessionSchema = z
  .object({
    token: z.string().meta({
      description:
        "Send it as Authorization: Bearer <token>. Empty if the request had the header X-Weft-Session: cookie: then the token is in a cookie that scripts cannot read, and counts for requests with the same header",
      examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIi….9f8e7d"],
    }),
    expiresAt: timestampSchema,
    user: accountSchema,
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof sessionSchema>;
