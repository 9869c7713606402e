import { createHash } from "node:crypto";
import type { RunEffect } from "@weft/engine/ports/effect-recorder";
import { isJsonObject, type Json } from "@weft/schema";
import type { RunHooks } from "@weft/server";

/** Which message of which case is being answered. */
export type Position = { caseName: string; turn: number; message: Json };

/** Before the first case. */
export const nowhere: Position = { caseName: "", turn: 0, message: null };

/** Sits between the cases of a file and the outside: records outcomes of effects, or replays them. */
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

/** The same for equal values, whatever the order of their keys. Absent and undefined are equal. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(toCanonicalText(value)).digest("hex").slice(0, 32);
}

/** JSON with sorted keys. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isJsonObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Shorter values are words that may occur anywhere. */
const shortestSecret = 6;

export type Redact = <T extends Json>(value: T) => T;

/** Removes the values of secrets from a text or a JSON value. */
export function createRedaction(secrets: readonly string[]): Redact {
  const hidden = secrets.filter(({ length }) => length >= shortestSecret).sort((a, b) => b.length - a.length);

  function redact(value: Json): Json {
    if (typeof value === "string") return hidden.reduce((text, secret) => text.replaceAll(secret, "[secret]"), value);
    if (Array.isArray(value)) return value.map(redact);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner)]));
  }

  return <T extends Json>(value: T) => (hidden.length === 0 ? value : (redact(value) as T));
}
