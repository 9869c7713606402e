import type { Drawer, Tail } from "./drawer.ts";
import { type Expression, expressionsOf, lastNameOf, type Statement } from "./syntax/index.ts";
import { printValue } from "./values.ts";

/**
 * A print of what remains of a branch. Two branches with the same print do the same: names that they give themselves
 * are numbered, names from before stand with what they stand for. Undefined once the budget for comparing is used up.
 */
export function printTail(drawer: Drawer, statements: readonly Statement[]): string | undefined {
  if (drawer.budget <= 0) return undefined;
  const own = new Map<string, string>();
  for (const statement of statements) collectNames(statement, own);
  const used = new Map<string, string>();
  const text = JSON.stringify(statements, (key, item: unknown) => {
    if (key === "line" || key === "lastLine") return undefined;
    if (item instanceof Map) return [...item].map(([name, value]) => [own.get(String(name)) ?? name, value]);
    if (typeof item !== "object" || item === null || !("name" in item) || typeof item.name !== "string") return item;
    const { name } = item;
    const known = own.get(name);
    if (known !== undefined) return { ...item, name: known };
    const value = drawer.cursor.names.get(name);
    if (value) used.set(name, printValue(value));
    return item;
  });
  const outer = [...used].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const values = outer.map(([, value]) => value).join();
  drawer.budget -= text.length + values.length;
  return `${replaceNames(text, outer)}|${values}`;
}

/** Names from before are told apart by their values, not by how they are called. */
function replaceNames(text: string, outer: readonly (readonly [string, string])[]): string {
  let replaced = text;
  for (const [index, [name]] of outer.entries()) {
    replaced = replaced.replaceAll(`"name":${JSON.stringify(name)}`, `"name":"outer${index}"`);
  }
  return replaced;
}

function collectNames(statement: Statement, own: Map<string, string>): void {
  const add = (name: string) => {
    if (name !== "" && !own.has(name)) own.set(name, `own${own.size}`);
  };
  if (statement.kind === "declare") {
    add(statement.target.name);
    for (const name of statement.target.fields?.keys() ?? []) add(name);
  }
  if (statement.kind === "for") add(statement.variable);
  for (const inner of blocksOf(statement)) for (const one of inner) collectNames(one, own);
}

function blocksOf(statement: Statement): Statement[][] {
  if (statement.kind === "if") return [statement.body, statement.otherwise];
  if (statement.kind === "try") return [statement.body, ...statement.handlers];
  return "body" in statement ? [statement.body] : [];
}

/** Whether every way through the statements returns. */
export function alwaysReturns(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    if (statement.kind === "return" || statement.kind === "throw") return true;
    if (statement.kind === "with" || statement.kind === "try") return alwaysReturns(statement.body);
    return statement.kind === "if" && alwaysReturns(statement.body) && alwaysReturns(statement.otherwise);
  });
}

/** Calls that a flow has nodes for. */
const stepNames =
  /^(run|run_sync|run_streamed|runStreamed|runSync|search|approval_?[rR]equest\d*|run_?(and_?[aA]pply_?)?[gG]uardrails)$/;

/** Whether a statement draws a node: a run, a search, a check or an approval, itself or in a function it calls. */
export function hasSteps(drawer: Drawer, statement: Statement, seen: Set<string> = new Set()): boolean {
  for (const expression of expressionsOf(statement)) {
    if (expression.kind === "call" && isStep(drawer, expression, seen)) return true;
  }
  return false;
}

function isStep(drawer: Drawer, { callee }: Expression & { kind: "call" }, seen: Set<string>): boolean {
  const name = lastNameOf(callee) ?? "";
  if (name === "search") return isSearch({ callee });
  if (stepNames.test(name)) return true;
  const definition = callee.kind === "name" ? drawer.program.functions.get(name) : undefined;
  if (!definition || seen.has(name)) return false;
  seen.add(name);
  return hasSteps(drawer, definition, seen);
}

/** `client.vectorStores.search(…)`, whatever the client is. */
export function isSearch({ callee }: Pick<Expression & { kind: "call" }, "callee">): boolean {
  const object = callee.kind === "member" && lastNameOf(callee) === "search" ? lastNameOf(callee.object) : undefined;
  return /^vector_?stores$/i.test(object ?? "");
}

/** Connects the cursor to a tail that was drawn before. */
export function followTail(drawer: Drawer, tail: Tail): void {
  const { cursor, drawing } = drawer;
  if (tail.first !== undefined) drawing.connect(cursor.exits, tail.first);
  for (const before of cursor.tails) before.first ??= tail.first;
  if (!cursor.hasAsked) for (const id of tail.asking) putQuestion(drawer, id);
  if (!tail.after) return;
  const { exits, isOver, latest, hasAsked } = tail.after;
  cursor.exits = [...exits];
  cursor.isOver = isOver;
  cursor.latest = latest;
  cursor.hasAsked = hasAsked;
  for (const [name, value] of tail.after.names) cursor.names.set(name, value);
}

/** On this way nothing before the node has put the question: it does so on every way. */
function putQuestion({ drawing }: Drawer, nodeId: string): void {
  const { config } = drawing.node(nodeId);
  if (config.prompt === "") delete config.prompt;
}
