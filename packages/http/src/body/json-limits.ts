import { maxJsonDepth, WeftError } from "@weft/schema";

/** Limits of a JSON value. A larger one is rejected while it is read, before it takes memory or time. */
export type JsonLimits = {
  /** Nesting of arrays and objects. */
  depth: number;
  /** Keys of one object. */
  keys: number;
  /** Elements of one array. */
  elements: number;
  /** Total number of values: texts, numbers, arrays, objects. */
  values: number;
  /** Total characters of all texts and keys, except for the texts at `longAt`. */
  characters: number;
  /** Paths of texts of any length, such as `uploads.*.data`; `*` is any name or index. */
  longAt?: readonly string[];
};

/** Default for every operation. Only the limit of the body restricts texts. */
export const commonLimits: JsonLimits = {
  depth: maxJsonDepth,
  keys: 10_000,
  elements: 100_000,
  values: 200_000,
  characters: Number.POSITIVE_INFINITY,
};

/** For requests that become a run. Source: contract "Prediction". */
export const predictionLimits: JsonLimits = {
  depth: 64,
  keys: 1_000,
  elements: 10_000,
  values: 100_000,
  characters: 1_000_000,
};

type Countable = "depth" | "keys" | "elements" | "values" | "characters";

const units: Readonly<Record<Exclude<Countable, "depth">, string>> = {
  keys: "keys in one object",
  elements: "elements in one array",
  values: "values in all",
  characters: "characters of text in all",
};

/** The error for a value beyond a limit. `path`: its location; empty for the whole. */
export function beyond(limits: JsonLimits, name: Countable, path: string): WeftError {
  const limit = limits[name];
  if (name === "depth") return new WeftError("body-too-deep", { params: { limit } });
  const where = path === "" ? "the body" : path.slice(0, 200);
  const message = `has more than ${limit} ${units[name]}`;
  return new WeftError("limit-exceeded", {
    params: { where, limit, what: units[name] },
    errors: [{ path: path.slice(0, 200), message }],
  });
}

type Counted = { limits: JsonLimits; values: number; characters: number };

/** Throws `limit-exceeded` or `body-too-deep` for a value beyond the limits. Stops at the first violation. */
export function assertWithin(value: unknown, limits: JsonLimits): void {
  visit({ limits, values: 0, characters: 0 }, value, { path: "", depth: 0 });
}

function visit(counted: Counted, value: unknown, { path, depth }: { path: string; depth: number }): void {
  const { limits } = counted;
  counted.values += 1;
  if (counted.values > limits.values) throw beyond(limits, "values", "");
  if (typeof value === "string" && !isLong(path, value.length, limits)) countCharacters(counted, value.length, path);
  if (typeof value !== "object" || value === null) return;
  const isArray = Array.isArray(value);
  const names = Object.keys(value);
  assertRoom(limits, { isArray, size: names.length, path, depth });
  for (const name of names) {
    if (!isArray) countCharacters(counted, name.length, path);
    const inner = (value as Record<string, unknown>)[name];
    visit(counted, inner, { path: path === "" ? name : `${path}.${name}`, depth: depth + 1 });
  }
}

type Place = { isArray: boolean; size: number; path: string; depth: number };

function assertRoom(limits: JsonLimits, { isArray, size, path, depth }: Place): void {
  if (depth === limits.depth) throw beyond(limits, "depth", path);
  const name = isArray ? "elements" : "keys";
  if (size > limits[name]) throw beyond(limits, name, path);
}

function countCharacters(counted: Counted, count: number, path: string): void {
  counted.characters += count;
  if (counted.characters > counted.limits.characters) throw beyond(counted.limits, "characters", path);
}

/** Whether a text of this length is at a place without a length limit. */
export function isLong(path: string, length: number, { longAt }: JsonLimits): boolean {
  if (longAt === undefined || length < 1_000) return false;
  const names = path.split(".");
  return longAt.some((pattern) => {
    const wanted = pattern.split(".");
    return wanted.length === names.length && wanted.every((name, index) => name === "*" || name === names[index]);
  });
}
