import { SqlFailure, type Statement, wordsOf } from "./driver.ts";

/** The subject of a failure, so that a person or a model can act on it. `none`: the database's own message suffices. */
export type Advice =
  | "credential"
  | "database"
  | "schema"
  | "syntax"
  | "one"
  | "read-only"
  | "timeout"
  | "memory"
  | "passing"
  | "lost"
  | "none";

type Sentence = (words: string, statement: Statement) => string;

const readOnly = "Only statements that read can be run here: SELECT, VALUES, or WITH and a SELECT.";

const sentences: Readonly<Record<Advice, Sentence>> = {
  credential: () => "The database refuses this user with this password. Correct the credential.",
  database: () => "The server has no such database, or this user may not use it. Correct its name or the rights.",
  schema: (words) => `The database says: ${words}. Look up the tables and columns, and correct the statement.`,
  syntax: (words, { access }) =>
    `The database says: ${words}. Give one statement.${access === "read" ? ` ${readOnly}` : ""}`,
  one: () => `Give one statement, and nothing behind it. ${readOnly}`,
  "read-only": () => `${readOnly} A step or a tool changes data where its setting Allow changes is on.`,
  timeout: (_words, { timeoutMs }) =>
    `The statement took longer than ${timeoutMs} ms and was ended. Ask for less, or raise the time limit.`,
  memory: () => "The statement needs more memory than it may use. Select, sort or group less.",
  passing: (words) => `The database cannot answer at the moment: ${words}. Try again later.`,
  lost: (words) => `The connection to the database was lost${words === "" ? "" : `: ${words}`}.`,
  none: (words) => `The database says: ${words}.`,
};

/** The failure as a message. A write is not retried: it may have taken effect. */
export function toFailure(error: unknown, adviceOf: (error: unknown) => Advice, statement: Statement): SqlFailure {
  if (error instanceof SqlFailure) return error;
  // The driver failed on what it was sent.
  if (error instanceof TypeError || error instanceof RangeError) return new SqlFailure(unreadable, { cause: error });
  const advice = adviceOf(error);
  const passes = advice === "passing" || advice === "lost";
  return new SqlFailure(sentences[advice](wordsOf(error), statement), {
    retryable: passes && statement.access === "read",
    cause: error,
  });
}

export const unreadable =
  "What the database answers cannot be read. Find out whether host, port and database system are the right ones.";

export const timedOut = (statement: Statement) => new SqlFailure(sentences.timeout("", statement));
