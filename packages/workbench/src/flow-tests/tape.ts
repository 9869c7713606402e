import type { RunEffect } from "@weft/engine";
import type { Json } from "@weft/schema";
import type { RunHooks } from "@weft/server";
import { hashOf } from "./request-hash.ts";

/** Which message of which case is being answered. */
export type Position = { caseName: string; turn: number; message: Json };

/** Before the first case. */
export const nowhere: Position = { caseName: "", turn: 0, message: null };

/** What stands between the cases of a file and the world: keeps what comes of effects, or plays it back. */
export type Tape = Required<Pick<RunHooks, "recorder" | "wrapResolvers">> & {
  begin(position: Position): void;
  /** Ends the case that `begin` named; what went wrong with its recordings, as sentences. */
  end(): string[];
};

/** Settings of a node of the flow. */
export type ConfigOf = (nodeId: string) => unknown;

/** Code that calls nothing is the flow's own: it runs in a test, so that the test is about it. */
export function isOwnCode({ category, kind }: RunEffect): boolean {
  return category === "function" && kind === "read";
}

export function effectKeyAt({ turn }: Position, { nodeKey, key, attempt }: RunEffect): string {
  return `${turn}/${nodeKey}/${key}${attempt > 1 ? ` (attempt ${attempt})` : ""}`;
}

/** A recording answers only the same request, of a node with the same settings, on behalf of the same message. */
export function requestHash({ message }: Position, effect: RunEffect, configOf: ConfigOf): string {
  const { kind, category, name, input, nodeId } = effect;
  return hashOf({ message, config: configOf(nodeId), kind, category, name, input });
}
