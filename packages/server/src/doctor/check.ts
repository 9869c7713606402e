import type { DatabaseReader } from "@weft/database";
import type { Config } from "../config.ts";

/** One thing that the operator should know or do, in whole sentences: what was found, why it matters, what to do. */
export type Notice = {
  message: string;
  /** What it is about, for programs. `type` as in `api-key` or `agent`. */
  resource?: { type: string; id: string; name: string };
};

/** What checks read. Nothing is written: a server may run on the same data meanwhile. */
export type CheckDeps = Pick<DatabaseReader, "read" | "dialect"> & {
  config: Config;
  /** Milliseconds since the epoch. */
  now(): number;
};

/** Checks one side of an installation. Resolves with an empty list if all is well. */
export type Check = {
  /** As in `api-keys`; unique. */
  name: string;
  run(deps: CheckDeps): Promise<Notice[]>;
};
