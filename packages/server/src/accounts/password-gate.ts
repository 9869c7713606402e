import type { Clock } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { toNetwork } from "../http/client-address.ts";
import { createFailureCounter } from "./failure-counter.ts";
import { createDecoyHash, hashPassword, verifyPassword } from "./password.ts";
import { createWorkLimiter } from "./work-limiter.ts";

/** Somebody says who they are. */
export type Attempt = {
  email: string;
  password: string;
  /** Address of the client; see `RouteRequest.clientAddress`. */
  clientAddress: string;
};

/** Everything that hashes a password. */
export type PasswordGate = {
  hash(password: string): Promise<string>;
  /**
   * The account, when the password is its own. Rejects with `login-failed` when it is not, in the same way and the same
   * time when there is no account; with `rate-limited`, whatever the password, when the e-mail or the address has failed
   * too often, or too many are being checked.
   */
  prove<T extends { passwordHash: string }>(attempt: Attempt, account: T | undefined): Promise<T>;
};

/** From this failure of one e-mail address on, each brings a wait. */
const emailLimit = 5;
/** A whole office, or everybody behind a proxy that the configuration does not name, may share an address. */
const addressLimit = 20;

export function createPasswordGate(clock: Pick<Clock, "now">): PasswordGate {
  const hashing = createWorkLimiter({ running: 2, waiting: 64 });
  const emails = createFailureCounter({ limit: emailLimit, clock });
  const networks = createFailureCounter({ limit: addressLimit, clock });
  const decoyHash = createDecoyHash();

  function assertPatient(email: string, network: string): void {
    const waitMs = Math.max(emails.waitMs(email), networks.waitMs(network));
    if (waitMs > 0) throw new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
  }

  return {
    hash: (password) => hashing.run(() => hashPassword(password)),

    async prove({ email, password, clientAddress }, account) {
      const network = toNetwork(clientAddress);
      assertPatient(email, network);
      return hashing.run(async () => {
        // Again, when its turn has come: what was asked at once must not be a way around the limit.
        assertPatient(email, network);
        const isRight = await verifyPassword(password, account?.passwordHash ?? decoyHash);
        if (account !== undefined && isRight) {
          emails.forget(email);
          return account;
        }
        emails.add(email);
        networks.add(network);
        throw new WeftError("login-failed");
      });
    },
  };
}
