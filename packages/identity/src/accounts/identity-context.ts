import type { Database } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import type { IdentityCache } from "./authenticator.ts";
import type { PasswordGate } from "./password-gate.ts";
import type { Tokens } from "./tokens.ts";

/** What accounts, people and API keys share. */
export type IdentityContext = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  logger: Logger;
  tokens: Tokens;
  /** Cleared when someone's rights or a key changed. */
  cache: IdentityCache;
  /** Hashes passwords, one after the other. */
  passwords: PasswordGate;
};
