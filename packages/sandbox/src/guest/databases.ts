import type { QueryAnswer } from "../protocol.ts";
import type { Asker } from "./asker.ts";

export type Query = (statement: unknown, parameters?: unknown) => Promise<QueryAnswer>;
type Engine = "postgres" | "mysql" | "sqlite";
type Place = { engine: Engine; options: Record<string, unknown> };

/** Runs inside QuickJS, beside the module that uses it. Queries the database whose address a library was given. */
export function createDatabaseQuery(ask: Asker["ask"] | undefined, { engine, options }: Place): Query {
  return async (statement, parameters = []) => {
    if (ask === undefined) throw new Error("This code may not ask databases.");
    if (typeof statement !== "string") throw new TypeError("A statement must be a text.");
    if (!Array.isArray(parameters)) throw new TypeError("The sandbox takes the values of a statement as a list alone.");
    const values = parameters.map((value) => toDatabaseValue(value, engine));
    return ask("query", JSON.stringify({ engine, options, statement, parameters: values }));
  };
}

/** Runs inside QuickJS: a value as the drivers send it. */
export function toDatabaseValue(value: unknown, engine: Engine): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError("A value must be data.");
  if (value instanceof Date) {
    return engine === "mysql" ? value.toISOString().replace("T", " ").replace("Z", "") : value.toISOString();
  }
  if (ArrayBuffer.isView(value)) throw new TypeError("The sandbox sends databases text: give bytes in base64 or hex.");
  if (!Array.isArray(value)) return value;
  return engine === "postgres" ? toPostgresList(value) : value.map((each) => toDatabaseValue(each, engine));
}

/** Runs inside QuickJS: a list as PostgreSQL writes it. */
export function toPostgresList(list: readonly unknown[]): string {
  const items = list.map((each): string => {
    if (Array.isArray(each)) return toPostgresList(each);
    const value = toDatabaseValue(each, "postgres");
    if (value === null) return "NULL";
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `"${text.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}

/**
 * Runs inside QuickJS: an object whose missing members throw an explanation; so do those of objects with it as
 * prototype.
 */
export function limitMembers<T extends object>(name: string, known: T, advice: string): T {
  const quiet = ["then", "toJSON", "default", "__esModule"];
  return new Proxy(known, {
    get(target, key, receiver) {
      if (typeof key === "symbol" || key in target || quiet.includes(key)) return Reflect.get(target, key, receiver);
      throw new Error(`The sandbox has no ${name}.${key}. ${advice}`);
    },
  });
}

/** Runs inside QuickJS: passes a result to the callback, if any, instead of the promise. */
export function giveToCallback<T>(
  result: Promise<T>,
  callback: unknown,
  toArguments: (value: T) => unknown[],
): unknown {
  if (typeof callback !== "function") return result;
  result.then(
    (value) => callback(null, ...toArguments(value)),
    (error) => callback(error),
  );
  return undefined;
}
