import type { WallClock } from "@weft/engine/ports/clock";
import { type JsonObject, parseVariableValue, variableTypeSchema } from "@weft/schema";
import type { Secret } from "../config.ts";
import type { VariableRow } from "./variable.store.ts";

export type VariableValuesDeps = {
  /** All variables, most recently updated first. */
  list(): Promise<VariableRow[]>;
  clock: WallClock;
  /** Environment values that `runtime` variables may read, by name. */
  environment: ReadonlyMap<string, Secret>;
  /** Values of names that no variable has. */
  defaults: Readonly<Record<string, string>>;
  /** Called with each value read from the environment. */
  know(value: string): void;
};

/** The values that flows read as `$vars`. */
export type VariableValues = {
  /** By name; of several variables with one name the value of the one updated last. */
  all(): Promise<JsonObject>;
  /** Makes the next `all` see what was written before this call. */
  forget(): void;
};

/** Longest use of a value that another process may have changed. */
const maxAgeMs = 2_000;

/**
 * Reads all variables at most every two seconds, however many runs begin. Invariants:
 * - After `forget` nobody gets what was read before it.
 * - A read that fails is not remembered.
 */
export function createVariableValues({ list, clock, environment, defaults, know }: VariableValuesDeps): VariableValues {
  let latest: { values: Promise<JsonObject>; readAt: number } | undefined;

  function read() {
    const reading = {
      values: list().then((rows) => ({ ...defaults, ...toValues(rows, environment, know) })),
      readAt: clock.now(),
    };
    reading.values.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading;
  }

  return {
    async all() {
      if (latest === undefined || Math.abs(clock.now() - latest.readAt) > maxAgeMs) latest = read();
      return latest.values;
    },
    forget() {
      latest = undefined;
    },
  };
}

function toValues(
  rows: readonly VariableRow[],
  environment: ReadonlyMap<string, Secret>,
  know: VariableValuesDeps["know"],
): JsonObject {
  const entries = rows.toReversed().flatMap(({ name, type, value }): [string, JsonObject[string]][] => {
    if (type === "runtime") {
      const secret = environment.get(name);
      if (secret === undefined) return [];
      know(secret.reveal());
      return [[name, secret.reveal()]];
    }
    const parsed = parseVariableValue(variableTypeSchema.parse(type), value);
    return parsed.ok ? [[name, parsed.value]] : [];
  });
  return Object.fromEntries(entries);
}
