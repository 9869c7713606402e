import type { SqlClient } from "@weft/engine/ports/sql-client";
import { scan } from "./scan.ts";

/** Words that make a reading statement change something: `SELECT … INTO`, or a `WITH` whose part deletes. */
const changing =
  /\b(?:into|insert|update|delete|merge|replace|truncate|drop|alter|create|call|do|grant|revoke|set|copy|vacuum)\b/;
/** A lock on the rows read. */
const locking = /\bfor\s+(?:no\s+key\s+)?update\b/g;
/** Clauses of an `INSERT` that affect existing rows. */
const overwriting = /\b(?:replace|update|delete|merge|truncate|drop)\b/;

/** See `SqlClient.effectOf`. Every character is visited a constant number of times. */
export const effectOfStatement: SqlClient["effectOf"] = (engine, statement) => {
  const stretches = scan(engine, statement);
  const code = stretches.map(({ kind, start, end }) => (kind === "code" ? statement.slice(start, end) : " \u0001 "));
  // A comment may be one that the server executes; otherwise it separates words at most.
  if (stretches.some(({ kind, start }) => kind === "comment" && /^\/\*M?!/.test(statement.slice(start, start + 4)))) {
    return "destructive";
  }
  const words = code.join("").toLowerCase().replaceAll("\u0001", " ");
  const [first = "", ...others] = words.split(";");
  if (others.some((other) => other.trim() !== "")) return "destructive";
  const verb = /[a-z]+/.exec(first)?.[0];
  if (verb === "select" || verb === "with") {
    return changing.test(first.replaceAll(locking, " ")) ? "destructive" : "read";
  }
  return verb === "insert" && !overwriting.test(first) ? "write" : "destructive";
};
