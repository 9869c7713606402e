import { randomBytes } from "node:crypto";
import { createIdSource, type Database } from "@weft/database";
import { createHttpApp, createMemoryLimits, type Limits } from "@weft/http";
import { createLogger } from "@weft/http/logger";
import { accountRoutes } from "../accounts/account.routes.ts";
import { createAccountService } from "../accounts/account.service.ts";
import { createAuthenticator, createIdentityCache } from "../accounts/authenticator.ts";
import type { HashCost } from "../accounts/password.ts";
import { createPasswordGate } from "../accounts/password-gate.ts";
import { createTokens, operatorSubject } from "../accounts/tokens.ts";
import { apiKeyRoutes } from "../api-keys/api-key.routes.ts";
import { createApiKeyService } from "../api-keys/api-key.service.ts";
import { createAccountLinkService } from "../people/account-link.service.ts";
import { personRoutes } from "../people/person.routes.ts";
import { createPersonService } from "../people/person.service.ts";
import { createRecheck } from "../recheck.ts";

/** An answer, read. `body` is its JSON, whatever that is. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
export type Answer = { status: number; headers: Headers; text: string; body: any };

/** Guesses by the hundred are about counting them. */
const lowCost = { memory: 64, passes: 1, parallelism: 1 };

export type IdentityApiOptions = { key?: Uint8Array; ttlMs?: number; limits?: Limits; hashCost?: HashCost };

/** The routes of accounts and API keys over a real database, and a clock that the test moves. */
export async function createIdentityApi(
  database: Database,
  { key = randomBytes(32), ttlMs = 3_600_000, hashCost = lowCost, ...shared }: IdentityApiOptions = {},
) {
  const time = { nowMs: Date.parse("2030-01-01T00:00:00.250Z") };
  const clock = { now: () => time.nowMs };
  const limits = shared.limits ?? createMemoryLimits(clock);
  const ids = createIdSource(clock.now);
  const logLines: string[] = [];
  const logger = createLogger({ level: "debug", write: (line) => logLines.push(line), now: clock.now });
  const tokens = createTokens({ key: () => key, ttlMs, clock, ids });
  const cache = createIdentityCache(clock);
  const context = { database, clock, ids, logger, tokens, cache, passwords: createPasswordGate(limits, hashCost) };
  const apiKeys = createApiKeyService(context, async () => true);
  const accounts = createAccountService(context);
  const persons = createPersonService(context, apiKeys);
  const people = { accounts, persons, links: createAccountLinkService(context) };
  const authenticate = createAuthenticator({ database, tokens, cache, identifyApiKey: apiKeys.identify });
  const app = createHttpApp({
    routes: [...accountRoutes(accounts), ...apiKeyRoutes(apiKeys), ...personRoutes(people)],
    authenticate,
    bodyLimitBytes: 1_000_000,
    logger,
    ids,
    clock,
  });
  const { token: operator } = await tokens.issue(operatorSubject);

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { body, bearer = operator, from: remoteAddress } = options;
    const response = await app.fetch(
      new Request(`http://test/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...(bearer !== "" && { authorization: `Bearer ${bearer}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      { remoteAddress },
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : JSON.parse(text),
    };
  }

  const recheck = createRecheck(database, apiKeys);
  return { accounts, apiKeys, tokens, time, operator, call, app, logLines, authenticate, recheck };
}

/** The account of `createWithAdmin`. */
export const admin = { email: "admin@example.org", password: "correct horse" };

/** As `createIdentityApi`, with an account that logs in. */
export async function createWithAdmin(database: Database, options?: IdentityApiOptions) {
  const api = await createIdentityApi(database, options);
  await api.accounts.ensureAdmin(admin);
  let clients = 0;

  /** Each log-in comes from a client of its own, unless it says otherwise. */
  function logIn(
    more: { email?: string; password?: string } = {},
    from = `10.0.${clients >> 8}.${clients++ & 255}`,
  ): Promise<Answer> {
    return api.call("POST", "/auth/login", { bearer: "", body: { ...admin, ...more }, from });
  }

  return { ...api, logIn };
}

/** `bearer`: default the operator's token; empty for nobody. `from`: address of the client. */
export type CallOptions = { body?: unknown; bearer?: string; from?: string };
