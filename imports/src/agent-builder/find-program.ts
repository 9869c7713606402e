import type { ImportFile } from "@weft/dialects/importer";
import {
  dottedNameOf,
  type Expression,
  expressionsOf,
  type Language,
  lastNameOf,
  type Parameter,
  readFiles,
  type Statement,
  walk,
} from "./syntax/index.ts";
import type { Definition } from "./values.ts";

/** Where a workflow begins. */
export type Entry = { name: string; parameters: Parameter[]; body: Statement[]; line: number };

/** The parts of a program that may stand in several files, by the names they are given. */
export type Program = {
  language: Language;
  constants: ReadonlyMap<string, Expression>;
  functions: ReadonlyMap<string, Definition>;
  classes: ReadonlyMap<string, Statement & { kind: "class" }>;
  /** Names of what is made with `Agent`, in the order of the files. */
  agentNames: string[];
  entry: Entry | undefined;
  problems: string[];
};

export function findProgram(files: readonly ImportFile[]): Program {
  const sources = readFiles(files);
  const statements = sources.flatMap((source) => source.statements);
  const problems = sources.flatMap(({ problem }) => problem ?? []);
  const constants = new Map<string, Expression>();
  const functions = new Map<string, Definition>();
  const classes = new Map<string, Statement & { kind: "class" }>();
  // Names of the outermost level count before those inside of functions.
  for (const statement of [...statements, ...walk(statements)]) {
    if (statement.kind === "class" && !classes.has(statement.name)) classes.set(statement.name, statement);
    if (statement.kind === "function" && !functions.has(statement.name)) functions.set(statement.name, statement);
    const named = nameOf(statement);
    if (named === undefined) continue;
    if (named.value.kind === "function") keepFunction(functions, named.name, statement);
    else if (statements.includes(statement) || isDefinition(named.value)) keep(constants, named.name, named.value);
  }
  const agentNames = [...constants].flatMap(([name, value]) => (isAgent(value) ? [name] : []));
  const runs = findRuns(functions, agentNames);
  const python = sources.filter(({ language }) => language === "python").length;
  return {
    language: python * 2 > sources.length ? "python" : "javascript",
    constants,
    functions,
    classes,
    agentNames,
    entry: findEntry(statements, functions, runs),
    problems,
  };
}

function keep<Item>(map: Map<string, Item>, name: string, item: Item): void {
  if (!map.has(name)) map.set(name, item);
}

function keepFunction(functions: Map<string, Definition>, name: string, statement: Statement): void {
  if (statement.kind !== "declare" || statement.value.kind !== "function") return;
  const { line, lastLine, value } = statement;
  keep(functions, name, { kind: "function", name, value, decorators: [], text: "", line, lastLine });
}

/** What a statement gives a name. */
function nameOf(statement: Statement): { name: string; value: Expression } | undefined {
  if (statement.kind === "declare" && statement.target.name !== "") {
    return { name: statement.target.name, value: statement.value };
  }
  if (statement.kind !== "assign") return undefined;
  const name = lastNameOf(statement.target);
  return name === undefined || !isDefinition(statement.value) ? undefined : { name, value: statement.value };
}

const makers =
  /^(Agent|tool|functionTool|hostedMcpTool|HostedMCPTool|\w*SearchTool|\w*searchTool|codeInterpreterTool|CodeInterpreterTool|ModelSettings)$/;

function isDefinition(value: Expression): boolean {
  return value.kind === "call" && (makers.test(lastNameOf(value.callee) ?? "") || isAgent(value));
}

/** `new Agent(…)`, `Agent(…)`, `Agent.create(…)`. */
function isAgent(value: Expression): boolean {
  if (value.kind !== "call") return false;
  const { callee } = value;
  const name = callee.kind === "member" && lastNameOf(callee) === "create" ? callee.object : callee;
  return lastNameOf(name) === "Agent";
}

/** Functions in which agents run, directly or through others, and how many runs each of them has itself. */
function findRuns(functions: ReadonlyMap<string, Definition>, agentNames: readonly string[]): Map<string, number> {
  const runs = new Map<string, number>();
  for (const [name, definition] of functions) {
    const count = [...expressionsOf(definition)].filter((one) => isRun(one, agentNames)).length;
    if (count > 0) runs.set(name, count);
  }
  return runs;
}

function isRun(expression: Expression, agentNames: readonly string[]): boolean {
  if (expression.kind !== "call") return false;
  const name = lastNameOf(expression.callee) ?? "";
  const agent = expression.args[0] ?? expression.named.get("starting_agent");
  if (!/^run(_sync|_streamed|Streamed|Sync)?$/.test(name) || !agent || isOtherRun(expression.callee))
    return /^approval_?[rR]equest\d*$/.test(name);
  return agentNames.includes(lastNameOf(agent) ?? "") || isAgent(agent) || agent.kind === "name";
}

/** `asyncio.run`, `uvicorn.run` and their like run no agents. */
function isOtherRun(callee: Expression): boolean {
  return callee.kind === "member" && !/runner/i.test(dottedNameOf(callee.object) ?? "");
}

function findEntry(
  statements: readonly Statement[],
  functions: ReadonlyMap<string, Definition>,
  runs: ReadonlyMap<string, number>,
): Entry | undefined {
  const reach = (name: string) => reachOf(name, { functions, runs, seen: new Set() });
  const named = [...functions.values()].filter(({ name }) => /^run_?\w*workflow\w*$/i.test(name));
  const [best] = [...named, ...functions.values()]
    .map((definition) => ({ definition, rank: rankOf(definition, named, reach(definition.name)) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank);
  if (best) {
    const { name, line, value } = best.definition;
    return { name, parameters: value.parameters, body: value.body, line };
  }
  const script = statements.filter(({ kind }) => kind !== "function" && kind !== "class");
  return (
    findHandler(script) ?? (hasRuns(script) ? { name: "", parameters: [], body: [...script], line: 1 } : undefined)
  );
}

function hasRuns(statements: readonly Statement[]): boolean {
  return statements.some((statement) => [...expressionsOf(statement)].some((one) => isRun(one, [])));
}

/** A function without a name in which agents run, such as one that answers a request. */
function findHandler(statements: readonly Statement[]): Entry | undefined {
  const functions = statements.flatMap((statement) =>
    [...expressionsOf(statement)].filter((one) => one.kind === "function"),
  );
  const handler = functions.find(({ body }) => hasRuns(body));
  return handler && { name: "", parameters: handler.parameters, body: handler.body, line: handler.line };
}

/** The exported workflow first; otherwise the function that leads to the most runs, the innermost of several. */
function rankOf(definition: Definition, named: readonly Definition[], reach: number): number {
  if (reach === 0) return named.includes(definition) ? 0.5 : 0;
  return named.includes(definition) ? 10_000 + reach : reach;
}

type Reach = { functions: ReadonlyMap<string, Definition>; runs: ReadonlyMap<string, number>; seen: Set<string> };

function reachOf(name: string, { functions, runs, seen }: Reach): number {
  const definition = functions.get(name);
  if (!definition || seen.has(name)) return 0;
  seen.add(name);
  let count = runs.get(name) ?? 0;
  for (const one of expressionsOf(definition)) {
    if (one.kind === "call" && one.callee.kind === "name") {
      count += reachOf(one.callee.name, { functions, runs, seen });
    }
  }
  return count;
}
