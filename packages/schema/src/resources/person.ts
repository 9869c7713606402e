import { z } from "zod";
import { emailInputSchema, passwordInputSchema, roleSchema } from "./account.ts";
import { timestampSchema } from "./field.ts";

const nameInputSchema = z.string().trim().max(200);

/** What may be changed of someone's account. */
export const personUpdateSchema = z
  .object({ role: roleSchema.optional(), name: nameInputSchema.optional() })
  .meta({ id: "PersonUpdate", examples: [{ role: "editor" }] });
export type PersonUpdate = z.infer<typeof personUpdateSchema>;

/** What happens to the API keys of an account that is removed. */
export const keysOfRemovedSchema = z.enum(["keep", "remove"]).meta({
  description:
    "`remove` revokes the API keys of the account; `keep` leaves them valid without an owner. Required if it has some.",
});
export type KeysOfRemoved = z.infer<typeof keysOfRemovedSchema>;

export const invitationCreateSchema = z
  .object({ email: emailInputSchema, role: roleSchema })
  .meta({ id: "InvitationCreate", examples: [{ email: "grace@example.com", role: "editor" }] });
export type InvitationCreate = z.infer<typeof invitationCreateSchema>;

/** An invitation, or a link to choose a new password, as lists show it: without the token. */
export const accountLinkSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    kind: z.enum(["invitation", "password-reset"]),
    email: z.string(),
    role: roleSchema,
    createdBy: z.string().meta({ description: "Who created the link" }),
    createdDate: timestampSchema,
    expiresDate: timestampSchema,
  })
  .meta({
    id: "AccountLink",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        kind: "invitation",
        email: "grace@example.com",
        role: "editor",
        createdBy: "ada@example.com",
        createdDate: "2025-01-31T12:00:00.000Z",
        expiresDate: "2025-02-07T12:00:00.000Z",
      },
    ],
  });
export type AccountLink = z.infer<typeof accountLinkSchema>;

const tokenExample = "jMz4kzdbcBQ5sRqS8PPIEKQcdGQVhxZE0b1c2d3e4f5";

/** The answer to a create, the only one with the token. */
export const newAccountLinkSchema = z
  .object({
    ...accountLinkSchema.shape,
    token: z.string().meta({
      description: "Works once. The page for it is `/join#<token>`. It is only returned here.",
    }),
  })
  .meta({
    id: "NewAccountLink",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        kind: "invitation",
        email: "grace@example.com",
        role: "editor",
        createdBy: "ada@example.com",
        createdDate: "2025-01-31T12:00:00.000Z",
        expiresDate: "2025-02-07T12:00:00.000Z",
        token: tokenExample,
      },
    ],
  });
export type NewAccountLink = z.infer<typeof newAccountLinkSchema>;

const linkTokenSchema = z.string().min(1).max(200);

export const linkLookSchema = z
  .object({ token: linkTokenSchema })
  .meta({ id: "AccountLinkToken", examples: [{ token: tokenExample }] });

export const linkUseSchema = z
  .object({ token: linkTokenSchema, password: passwordInputSchema, name: nameInputSchema.optional() })
  .meta({
    id: "AccountLinkUse",
    examples: [{ token: tokenExample, password: "correct horse battery staple", name: "Grace" }],
  });
export type LinkUse = z.infer<typeof linkUseSchema>;

/** A role, with what it may do. */
export const roleGrantsSchema = z
  .object({ role: roleSchema, permissions: z.array(z.string()) })
  .meta({ id: "RoleGrants", examples: [{ role: "viewer", permissions: ["agents:read", "predictions:run"] }] });
export type RoleGrants = z.infer<typeof roleGrantsSchema>;
