import type { SqlCall, SqlDatabase } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import { SqlFailure } from "./driver.ts";

type Engine = SqlDatabase["engine"];

/** A statement with the placeholders that its database knows. */
export type ReadStatement = {
  text: string;
  /** The parameter of each placeholder where they have no numbers, from 0. */
  places: readonly number[];
  /** Its first word, in lower case. */
  verb: string;
};

/** Comments, string literals and quoted names. */
const quoted: Readonly<Record<Engine, string>> = {
  postgres: String.raw`--[^\n]*|/\*[\s\S]*?\*/|'[^']*'|"[^"]*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1`,
  mysql: String.raw`(?:--(?=\s|$)|#)[^\n]*|/\*[\s\S]*?\*/|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|${"`"}[^${"`"}]*${"`"}`,
  sqlite: String.raw`--[^\n]*|/\*[\s\S]*?\*/|'[^']*'|"[^"]*"|${"`"}[^${"`"}]*${"`"}|\[[^\]]*\]`,
};

/**
 * Checks that placeholders and values fit, and writes the placeholders as the database has them. The text is not
 * judged otherwise: what a statement may do is for the database to enforce. Throws `SqlFailure`.
 */
export function readStatement(engine: Engine, statement: string, given: number): ReadStatement {
  const pattern = new RegExp(`${quoted[engine]}|(?<![\\w$])\\$(?<place>\\d{1,5})(?![\\w$])`, "g");
  const places: number[] = [];
  let code = "";
  let end = 0;
  const text = statement.replaceAll(pattern, (whole, ...rest) => {
    const { place } = rest.at(-1) as { place?: string };
    const at = Number(rest.at(-3));
    code += `${statement.slice(end, at)} `;
    end = at + whole.length;
    if (place === undefined) {
      if (/^\/\*M?!/.test(whole)) throw new SqlFailure("Comments that are executed (/*! … */) cannot be used here.");
      return whole;
    }
    places.push(Number(place) - 1);
    return engine === "mysql" ? "?" : whole;
  });
  checkPlaces(places, given);
  const verb = /[a-z]+/i.exec(code + statement.slice(end))?.[0].toLowerCase() ?? "";
  if (verb === "")
    throw new SqlFailure("There is no statement. Write one, such as SELECT * FROM orders WHERE id = $1.");
  return { text, places, verb };
}

/**
 * Numbers the question marks that stand for values. A list stands for each of its values; an empty one for null. Throws
 * `SqlFailure`.
 */
export function numberQuestionMarks(
  engine: Engine,
  { statement, parameters }: Pick<SqlCall, "statement" | "parameters">,
): Pick<SqlCall, "statement" | "parameters"> {
  const values: Json[] = [];
  let asked = 0;
  const text = statement.replaceAll(new RegExp(`${quoted[engine]}|\\?+`, "g"), (whole) => {
    if (!whole.startsWith("?")) return whole;
    if (whole !== "?") throw new SqlFailure("Names cannot be given as values (??). Write them into the statement.");
    const given = parameters[asked];
    asked += 1;
    if (given === undefined) return whole;
    const list = Array.isArray(given) ? given : [given];
    return list.length === 0 ? "null" : list.map((value) => `$${values.push(value)}`).join(", ");
  });
  if (asked === parameters.length) return { statement: text, parameters: values };
  throw new SqlFailure(`The statement has ${asked} question marks, but ${parameters.length} values were given.`);
}

function checkPlaces(places: readonly number[], given: number): void {
  const outside = places.find((place) => place < 0 || place >= given);
  if (outside !== undefined) {
    throw new SqlFailure(`The statement uses $${outside + 1}, but ${given} values were given. Give each $ its value.`);
  }
  for (let place = 0; place < given; place += 1) {
    if (places.includes(place)) continue;
    throw new SqlFailure(
      `The value $${place + 1} does not stand in the statement. Write it without quotes, or leave the value out.`,
    );
  }
}
