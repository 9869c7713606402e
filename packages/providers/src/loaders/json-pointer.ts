import type { Json } from "@weft/schema";

/** A value within a JSON value, and its location. */
export type FoundValue = { pointer: string; value: Json };

/**
 * The values at a JSON pointer (RFC 6901); `*` as a step matches every item of a list and every value of an object. The
 * leading slash is optional. Missing values are skipped.
 */
export function* findValues(root: Json, pointer: string): Generator<FoundValue> {
  const steps = pointer.trim().replace(/^\//, "").split("/");
  yield* pointer.trim() === "" ? [{ pointer: "", value: root }] : follow({ pointer: "", value: root }, steps);
}

/** The first of them. */
export function findValue(root: Json, pointer: string): Json | undefined {
  return findValues(root, pointer).next().value?.value;
}

function* follow(from: FoundValue, steps: readonly string[]): Generator<FoundValue> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    yield from;
    return;
  }
  const { value } = from;
  if (value === null || typeof value !== "object") return;
  const keys = step === "*" ? Object.keys(value) : [step.replaceAll("~1", "/").replaceAll("~0", "~")];
  for (const key of keys) {
    if (!Object.hasOwn(value, key)) continue;
    const next = (value as Record<string, Json>)[key];
    const pointer = `${from.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (next !== undefined) yield* follow({ pointer, value: next }, rest);
  }
}

/** A text unchanged, anything else as JSON for people to read. */
export function toValueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
