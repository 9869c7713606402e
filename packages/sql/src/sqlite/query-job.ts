import type { SqlCall } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import type { Advice } from "../failure.ts";

/** What the process of a statement is told. */
export type QueryJob = Pick<SqlCall, "statement" | "parameters" | "access" | "maxRows" | "maxBytes" | "timeoutMs"> & {
  file: string;
};

/** One row more than is kept, where there is one. */
export type QueryReply =
  | { ok: true; columns: string[]; rows: Json[][]; changedRows?: number }
  | { ok: false; advice: Advice; words: string };
