import { z } from "zod";
import type { VectorStore } from "../port/define-vector-store.ts";

const config = z.strictObject({
  credential: z
    .string()
    .optional()
    .meta({ title: "Credential", help: "User and password of the database.", widget: "credential" }),
  host: z.string().max(255).optional().meta({
    title: "Host",
    help: "Empty: the platform's own PostgreSQL. Any other host and port must be in EGRESS_ALLOW.",
    placeholder: "db.example.com",
  }),
  port: z.coerce.number().int().min(1).max(65_535).default(5432).meta({ title: "Port" }),
  database: z.string().max(63).optional().meta({ title: "Database" }),
  ssl: z.boolean().default(false).meta({ title: "TLS", help: "Connect with TLS and check the certificate." }),
});
export type PgvectorConfig = z.infer<typeof config>;

/** What the catalogue shows. */
export const pgvectorTraits = {
  name: "pgvector",
  title: "PostgreSQL with pgvector",
  summary: "A PostgreSQL database that has the pgvector extension: the platform's own, or another.",
  credentialFields: [
    { name: "user", title: "User", secret: false, required: true },
    { name: "password", title: "Password", secret: true, required: true },
  ],
  config,
  aliases: { names: ["postgres"], config: {} },
} as const satisfies Omit<VectorStore<typeof config>, "open">;
