import type { House } from "./open-house.ts";

/** One attack on a running server, and the evidence that it failed. */
export type Attack = {
  /** What the attacker tries, without a period. */
  name: string;
  /** Environment of the server besides the house's own. Attacks with the same one share a server, one after the other. */
  env?: Readonly<Record<string, string>>;
  /** Takes more than five seconds: left out of the short form. Default false. */
  isLong?: boolean;
  /**
   * Makes the attack. Resolves with one sentence of evidence: what the canary showed, and what proves that the attack
   * reached the place where it could have worked. Rejects when the attack succeeds, or when it never got that far.
   */
  run(house: House): Promise<string>;
};

/** Declares the attack of a file `*.attack.ts`, which exports it as `attack`, or a list of them as `attacks`. */
export function defineAttack(attack: Attack): Attack {
  return attack;
}
