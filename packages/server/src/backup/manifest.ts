import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import type { Config } from "../config.ts";

/** The files of a backup, by content. */
export const backupFiles = { sqlite: "weft.db", dump: "database.dump", keys: ["encryption.key", "jwt.key"] } as const;

/** The variables that replace key files, by file name. */
export function givenKeys(config: Config): Map<string, string> {
  const given = new Map<string, string>();
  if (!config.encryptionKey.isEmpty) given.set("encryption.key", "ENCRYPTION_KEY");
  if (!config.jwtKey.isEmpty) given.set("jwt.key", "JWT_KEY");
  return given;
}

export const manifestFile = "manifest.json";

const fileSchema = z.object({
  name: z.enum([backupFiles.sqlite, backupFiles.dump, ...backupFiles.keys]),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type BackupFile = z.infer<typeof fileSchema>;

/** The contents of a backup. Written last: a folder without it is not a backup. */
const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the Weft that took it. */
  version: z.string(),
  createdDate: z.iso.datetime(),
  database: z.enum(["sqlite", "postgres"]),
  /** Every schema migration that the database has. */
  schema: z.array(z.string()),
  files: z.array(fileSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Rejects with a sentence if the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new Error(`${folder} is not a backup: it has no ${manifestFile}. An interrupted backup has none either.`);
  }
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `The ${manifestFile} in ${folder} is not one that this version of Weft can read. Use another backup.`,
  );
}

export async function describeFile(folder: string, name: BackupFile["name"]): Promise<BackupFile> {
  const path = join(folder, name);
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { name, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
