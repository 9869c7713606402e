import type { SqlCall, SqlDatabase } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import { SqlFailure, type Statement } from "./driver.ts";
import { toFailure } from "./failure.ts";
import { scan } from "./scan.ts";

type Engine = SqlDatabase["engine"];

/** A statement with its database's placeholders. */
export type ReadStatement = {
  text: string;
  /** Parameter index of each placeholder if they have no numbers, from 0. */
  places: readonly number[];
  /** Its first word, in lower case. */
  verb: string;
};

/** Servers and parsers disagree on where a comment starts beside one of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

type BoundStatement = Pick<SqlCall, "statement" | "parameters">;

/**
 * Checks that placeholders and values match, and rewrites the placeholders for the database. The text is not judged
 * otherwise: the database enforces what a statement may do. Throws `SqlFailure`.
 */
export function readStatement(engine: Engine, statement: string, given: number): ReadStatement {
  if (control.test(statement)) {
    throw new SqlFailure(
      "The statement has control characters other than tabs and line breaks. Remove them, or give their text as a value.",
    );
  }
  const places: number[] = [];
  const parts: string[] = [];
  const code: string[] = [];
  for (const { kind, start, end } of scan(engine, statement)) {
    const part = statement.slice(start, end);
    if (kind === "comment" && /^\/\*M?!/.test(part)) {
      throw new SqlFailure("Comments that are executed (/*! … */) cannot be used here.");
    }
    code.push(kind === "code" ? part : " ");
    parts.push(kind === "code" ? part.replaceAll(placeholder, take) : part);
  }
  checkPlaces(places, given);
  const verb = /[a-z]+/i.exec(code.join(""))?.[0].toLowerCase() ?? "";
  if (verb === "")
    throw new SqlFailure("There is no statement. Write one, such as SELECT * FROM orders WHERE id = $1.");
  return { text: parts.join(""), places, verb };

  function take(whole: string, number: string): string {
    places.push(Number(number) - 1);
    return engine === "mysql" ? "?" : whole;
  }
}

/** Statements of MySQL that only read. Others may act outside of a transaction, such as SET GLOBAL or KILL. */
const reading = new Set(["select", "with", "values", "table", "show", "describe", "desc", "explain"]);

/** Like `readStatement`, and rejects what needs no server to reject. */
export function checkStatement(engine: Engine, call: Statement): ReadStatement {
  const read = readStatement(engine, call.statement, call.parameters.length);
  if (engine === "mysql" && call.access === "read" && !reading.has(read.verb)) throw notReading(call);
  return read;
}

export const notReading = (call: Statement) => toFailure(new Error("It does not read."), () => "read-only", call);

const placeholder = /(?<![\w$])\$(\d{1,5})(?![\w$])/g;

/** Whether a text consists only of comments. */
export function isNothing(engine: Engine, text: string): boolean {
  return scan(engine, text).every(
    ({ kind, start, end }) => kind === "comment" || (kind === "code" && !/[^\s;]/.test(text.slice(start, end))),
  );
}

/**
 * Numbers the question marks that stand for values. A list expands to its values; an empty one to null. Throws
 * `SqlFailure`.
 */
export function numberQuestionMarks(engine: Engine, { statement, parameters }: BoundStatement): BoundStatement {
  const values: Json[] = [];
  let asked = 0;
  const parts = scan(engine, statement).map(({ kind, start, end }) => {
    const part = statement.slice(start, end);
    return kind === "code" ? part.replaceAll(/\?+/g, take) : part;
  });
  if (asked === parameters.length) return { statement: parts.join(""), parameters: values };
  throw new SqlFailure(`The statement has ${asked} question marks, but ${parameters.length} values were given.`);

  function take(whole: string): string {
    if (whole !== "?") throw new SqlFailure("Names cannot be given as values (??). Write them into the statement.");
    const given = parameters[asked];
    asked += 1;
    if (given === undefined) return whole;
    const list = Array.isArray(given) ? given : [given];
    return list.length === 0 ? "null" : list.map((value) => `$${values.push(value)}`).join(", ");
  }
}

function checkPlaces(places: readonly number[], given: number): void {
  const outside = places.find((place) => place < 0 || place >= given);
  if (outside !== undefined) {
    throw new SqlFailure(`The statement uses $${outside + 1}, but ${given} values were given. Give each $ its value.`);
  }
  const known = new Set(places);
  for (let place = 0; place < given; place += 1) {
    if (known.has(place)) continue;
    throw new SqlFailure(
      `The value $${place + 1} does not stand in the statement. Write it without quotes, or leave the value out.`,
    );
  }
}
