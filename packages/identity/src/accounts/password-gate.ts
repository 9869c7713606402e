import type { WallClock } from "@weft/engine/ports/clock";
import { WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { createDecoyHash, hashPassword, verifyPassword } from "./password.ts";

/** Somebody says who they are. */
type Attempt = {
  email: string;
  password: string;
  /** Network of the client; see `toNetwork`. */
  network: string;
  /** Whether this account has proved its password from this network before. */
  isKnown: boolean;
};

/** Everything that hashes a password. */
export type PasswordGate = {
  hash(password: string): Promise<string>;
  /**
   * The account, when the password is its own. Rejects with `login-failed` when it is not, in the same way and the same
   * time when there is no account; with `rate-limited`, whatever the password, after too many failures, or when too many
   * are being checked.
   */
  prove<T extends { passwordHash: string }>(attempt: Attempt, account: T | undefined): Promise<T>;
};

/** From this failure of one e-mail address in one network on, each brings a wait. */
const pairLimit = 5;
/** From this failure of one network on: it tries many accounts. A whole office may share an address. */
const networkLimit = 20;
/** From this failure of one e-mail address on, from wherever: its password is guessed from many networks. */
const emailLimit = 20;

/**
 * Waits by (e-mail, network), so that nobody's failures lock out who logs in from elsewhere. Guesses that come from many
 * networks, and a network that tries many accounts, have a limit of their own, which holds where the account has never
 * proved its password: from a network where it did, nothing but its own failures there counts, and a place is kept free
 * in the line for hashing. Source: contract "Identity".
 */
export function createPasswordGate(clock: WallClock): PasswordGate {
  const hashing = createWorkLimiter({ running: 2, waiting: 64 });
  const hashingForKnown = createWorkLimiter({ running: 1, waiting: 16 });
  const pairs = createFailureCounter({ limit: pairLimit, clock });
  const networks = createFailureCounter({ limit: networkLimit, clock });
  const emails = createFailureCounter({ limit: emailLimit, clock });
  const decoyHash = createDecoyHash();

  function assertPatient({ email, network, isKnown }: Attempt): void {
    const ofOthers = isKnown ? 0 : Math.max(emails.waitMs(email), networks.waitMs(network));
    const waitMs = Math.max(pairs.waitMs(toPair(email, network)), ofOthers);
    if (waitMs > 0) throw new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
  }

  function countFailure({ email, network, isKnown }: Attempt): void {
    pairs.add(toPair(email, network));
    networks.add(network);
    if (!isKnown) emails.add(email);
  }

  return {
    hash: (password) => hashing.run(() => hashPassword(password)),

    async prove(attempt, account) {
      assertPatient(attempt);
      return (attempt.isKnown ? hashingForKnown : hashing).run(async () => {
        // Again, when its turn has come: what was asked at once must not be a way around the limit.
        assertPatient(attempt);
        const isRight = await verifyPassword(attempt.password, account?.passwordHash ?? decoyHash);
        if (account !== undefined && isRight) {
          pairs.forget(toPair(attempt.email, attempt.network));
          return account;
        }
        countFailure(attempt);
        throw new WeftError("login-failed");
      });
    },
  };
}

/** No network holds a space. */
function toPair(email: string, network: string): string {
  return `${network} ${email}`;
}

/** How often something failed lately, by name. */
type FailureCounter = {
  /** How long `name` has to wait; 0 when it need not. */
  waitMs(name: string): number;
  add(name: string): void;
  forget(name: string): void;
};

type FailureCounterOptions = {
  /** The failure from which on each brings a wait. */
  limit: number;
  /** Names at most; default 10,000. The one whose last failure is the oldest goes first. */
  capacity?: number;
  clock: WallClock;
};

/** After so long without a failure, and without a wait, a name is as good as new. */
const memoryMs = 15 * 60_000;
const firstWaitMs = 30_000;
const longestWaitMs = 15 * 60_000;

/** Waits of 30 s, 1 min, 2 min … 15 min, the first one after `limit` failures. In memory: it knows this process alone. */
export function createFailureCounter({ limit, capacity = 10_000, clock }: FailureCounterOptions): FailureCounter {
  const entries = new LRUCache<string, { failures: number; blockedUntilMs: number }>({ max: capacity });

  function failuresOf(name: string): number {
    const entry = entries.peek(name);
    return entry !== undefined && clock.now() < entry.blockedUntilMs + memoryMs ? entry.failures : 0;
  }

  return {
    waitMs: (name) => Math.max(0, (entries.peek(name)?.blockedUntilMs ?? 0) - clock.now()),
    add(name) {
      const failures = failuresOf(name) + 1;
      const waitMs = failures < limit ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - limit));
      entries.set(name, { failures, blockedUntilMs: clock.now() + waitMs });
    },
    forget: (name) => void entries.delete(name),
  };
}

/** Runs costly work a few at a time, in order. */
type WorkLimiter = {
  /** Throws `rate-limited` at once when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export function createWorkLimiter({ running, waiting }: { running: number; waiting: number }): WorkLimiter {
  const queue: (() => void)[] = [];
  let free = running;

  return {
    async run(work) {
      if (free > 0) free--;
      else if (queue.length >= waiting) throw new WeftError("rate-limited", { params: { retryAfterSeconds: 5 } });
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
