import type { Limits } from "@weft/http";
import { WeftError } from "@weft/schema";
import { createDecoyHash, hashPassword, usualCost, verifyPassword } from "./password.ts";

/** A log-in attempt. */
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
   * The account, if the password is correct. Rejects with `login-failed` if it is not, in the same way and time if
   * there is no account; with `rate-limited`, whatever the password, after too many failures, or if too many are being
   * checked.
   */
  prove<T extends { passwordHash: string }>(attempt: Attempt, account: T | undefined): Promise<T>;
};

/** Failures of one e-mail address in one network from which each adds a wait. */
const pairLimit = 5;
/** Failures of one network, trying many accounts, from which each adds a wait. A whole office may share an address. */
const networkLimit = 20;
/** Failures of one e-mail address from anywhere: its password is guessed from many networks. */
const emailLimit = 20;

/**
 * Waits by (e-mail, network), so that nobody's failures lock out who logs in from elsewhere. Guesses that come from many
 * networks, and a network that tries many accounts, have a limit of their own, which holds where the account has never
 * proved its password: from a network where it did, nothing but its own failures there counts, and a place is kept free
 * in the line for hashing. An attempt is counted before its password is looked at, so that guesses at the same moment,
 * and in other processes, have the limit of one. Source: contract "Identity".
 */
export function createPasswordGate(limits: Limits, hashCost = usualCost): PasswordGate {
  const hashing = createWorkLimiter({ running: 2, waiting: 64 });
  const hashingForKnown = createWorkLimiter({ running: 1, waiting: 16 });
  const decoyHash = createDecoyHash(hashCost);

  async function assertPatient({ email, network, isKnown }: Attempt): Promise<void> {
    const ofOthers = isKnown ? [] : [toEmail(email), toNetworkName(network)];
    refuseFor(await limits.waitMs([toPair(email, network), ...ofOthers]));
  }

  return {
    hash: (password) => hashing.run(() => hashPassword(password, hashCost)),

    async prove(attempt, account) {
      const { email, network, isKnown } = attempt;
      await assertPatient(attempt);
      return (isKnown ? hashingForKnown : hashing).run(async () => {
        // Checked again at its turn: concurrent attempts must not bypass the limit.
        if (!isKnown) await assertPatient(attempt);
        refuseFor(await limits.fail(toPair(email, network), pairLimit));
        const isRight = await verifyPassword(attempt.password, account?.passwordHash || decoyHash);
        if (account !== undefined && isRight) {
          await limits.forget(toPair(email, network));
          return account;
        }
        await limits.fail(toNetworkName(network), networkLimit);
        if (!isKnown) await limits.fail(toEmail(email), emailLimit);
        throw new WeftError("login-failed");
      });
    },
  };
}

function refuseFor(waitMs: number): void {
  if (waitMs > 0) throw new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
}

/** Networks contain no space. */
const toPair = (email: string, network: string): string => `pair ${network} ${email}`;
const toEmail = (email: string): string => `email ${email}`;
const toNetworkName = (network: string): string => `network ${network}`;

/** Runs expensive work a few at a time, in order. */
type WorkLimiter = {
  /** Throws `rate-limited` immediately if too many wait already. */
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
