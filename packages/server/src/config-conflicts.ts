import { join, resolve, sep } from "node:path";

import { defaultDataDir } from "./config-values.ts";

/** Environment variables before they are parsed. */
type Environment = Readonly<Record<string, string | undefined>>;

export function findHalfAccount({ ADMIN_EMAIL, ADMIN_PASSWORD }: Environment): string[] {
  if (!ADMIN_EMAIL?.trim() === !ADMIN_PASSWORD?.trim()) return [];
  return ["ADMIN_EMAIL and ADMIN_PASSWORD must be set together, or neither."];
}

/** A process that leaves part of the work to others needs a shared database. */
export function findLonelyRole({ ROLE, REDIS_URL, DATABASE_URL }: Environment): string[] {
  if (DATABASE_URL?.trim()) return [];
  const shared = "connects processes on one PostgreSQL database: set DATABASE_URL, too.";
  return [
    ...(["", "all"].includes(ROLE?.trim() ?? "") ? [] : [`ROLE=${ROLE} ${shared}`]),
    ...(REDIS_URL?.trim() ? [`REDIS_URL ${shared}`] : []),
  ];
}

/** Flows must not read the platform's own database and keys. */
export function findOpenData({ SQL_FILES_DIR, DATA_DIR }: Environment): string[] {
  const files = SQL_FILES_DIR?.trim();
  if (!files) return [];
  const opened = join(resolve(files), sep);
  const kept = join(resolve(DATA_DIR?.trim() || defaultDataDir), sep);
  if (!kept.startsWith(opened) && !opened.startsWith(kept)) return [];
  return ["SQL_FILES_DIR must be apart from DATA_DIR, which holds the platform's own data. Use another folder."];
}
