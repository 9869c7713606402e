import type { Program } from "./find-program.ts";
import { method, staticCall, wellKnown } from "./known-calls.ts";
import {
  dottedNameOf,
  type Expression,
  lastNameOf,
  type Operator,
  type Parameter,
  type Statement,
} from "./syntax/index.ts";
import {
  fieldSchema,
  isPathName,
  literal,
  nothing,
  operation,
  printValue,
  type Scope,
  sizeOf,
  textIn,
  type Value,
} from "./values.ts";

/** Finds out what expressions stand for. What needs a step of the flow is asked of `steps`. */
export type Evaluator = {
  readonly program: Program;
  readonly steps: Steps;
  /** The names of the whole program. */
  readonly outermost: Scope;
  /** Functions that are being applied: one that calls itself ends as unknown. */
  applications: number;
};

/** What only the one who draws the flow knows. */
export type Steps = {
  call(expression: Expression & { kind: "call" }, scope: Scope): Value | undefined;
  input(name: string): Value;
  state(key: string): Value;
};

const plumbing: Value = { kind: "plumbing" };
const maxApplications = 8;
/** Parts of a value, each hundred characters of a text counted as one. */
const maxValueSize = 30_000;
const unknown = ({ line }: { line: number }): Value => ({ kind: "unknown", line });

export function createEvaluator(program: Program, steps: Steps): Evaluator {
  const known = new Map<string, Value>();
  const outermost: Scope = {
    find(name) {
      const found = known.get(name);
      if (found) return found;
      const constant = program.constants.get(name);
      // A name that its own value needs is unknown there.
      known.set(name, unknown({ line: constant?.line ?? 0 }));
      const value = constant ? evaluate(evaluator, constant, outermost) : definedAs(evaluator, name);
      if (value) known.set(name, value);
      else known.delete(name);
      return value;
    },
  };
  const evaluator: Evaluator = { program, steps, outermost, applications: 0 };
  return evaluator;
}

function definedAs(evaluator: Evaluator, name: string): Value | undefined {
  const statement = evaluator.program.classes.get(name);
  if (statement) return { kind: "class", statement };
  const definition = evaluator.program.functions.get(name);
  return definition && { kind: "function", name, value: definition.value, definition, scope: evaluator.outermost };
}

/** What an expression stands for. One that would grow without bound is unknown. */
export function evaluate(evaluator: Evaluator, expression: Expression, scope: Scope): Value {
  const value = evaluateAny(evaluator, expression, scope);
  return sizeOf(value) > maxValueSize ? unknown(expression) : value;
}

function evaluateAny(evaluator: Evaluator, expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case "name":
      return scope.find(expression.name) ?? evaluator.outermost.find(expression.name) ?? builtIn(expression);
    case "literal":
      return literal(expression.value);
    case "pattern":
      return { kind: "pattern", source: expression.source, flags: expression.flags };
    case "text":
      return textOf(
        expression.parts.map((part) => (typeof part === "string" ? part : evaluate(evaluator, part, scope))),
      );
    case "member":
      return memberOf(evaluator, expression, scope);
    case "call":
      return evaluator.steps.call(expression, scope) ?? call(evaluator, expression, scope);
    case "object":
      return objectOf(evaluator, expression, scope);
    case "list":
      return { kind: "list", items: expression.items.map((item) => evaluate(evaluator, item, scope)) };
    case "spread":
      return { kind: "spread", value: evaluate(evaluator, expression.value, scope) };
    case "operation":
      return simplify(
        expression.operator,
        expression.args.map((arg) => evaluate(evaluator, arg, scope)),
      );
    case "function":
      return { kind: "function", name: "", value: expression, scope };
    case "each":
      return each(evaluate(evaluator, expression.source, scope), expression);
    case "unknown":
      return unknown(expression);
  }
}

function builtIn(expression: Expression & { kind: "name" }): Value {
  // The SDK's words on handing over: a flow does it by itself.
  if (expression.name === "RECOMMENDED_PROMPT_PREFIX") return literal("");
  if (expression.name === "__name__") return literal("__main__");
  return /^(console|logger|logging|client|runner|Runner|process|os|st|asyncio|openai|self|this)$/.test(expression.name)
    ? plumbing
    : unknown(expression);
}

function memberOf(evaluator: Evaluator, expression: Expression & { kind: "member" }, scope: Scope): Value {
  const dotted = dottedNameOf(expression) ?? "";
  const environment = /^(?:process\.env|os\.environ|import\.meta\.env)\.(\w+)$/.exec(dotted)?.[1];
  if (environment !== undefined) return { kind: "environment", name: environment };
  if (expression.object.kind === "name" && /^(self|this)$/.test(expression.object.name)) {
    const own = evaluator.outermost.find(lastNameOf(expression) ?? "");
    if (own) return own;
  }
  return field(
    evaluator,
    evaluate(evaluator, expression.object, scope),
    evaluate(evaluator, expression.property, scope),
  );
}

function objectOf(evaluator: Evaluator, { entries }: Expression & { kind: "object" }, scope: Scope): Value {
  const fields = entries.flatMap(({ key, value }): (readonly [string, Value])[] => {
    const read = evaluate(evaluator, value, scope);
    if (key !== undefined) return [[key, read]];
    if (read.kind === "object") return [...read.fields];
    return read.kind === "plumbing" ? [] : [[spreadKey, read]];
  });
  return { kind: "object", fields: new Map(fields) };
}

/** A list made of another one is that list where it is only carried on. */
function each(source: Value, expression: Expression): Value {
  const carried = source.kind === "messages" || source.kind === "path" || source.kind === "plumbing";
  return carried ? source : unknown(expression);
}

/** A field of what a value stands for. */
export function field(evaluator: Evaluator, object: Value, name: Value): Value {
  const key = name.kind === "literal" ? String(name.value) : undefined;
  if (key === undefined) return operation("get", object, name);
  switch (object.kind) {
    case "object":
      return object.fields.get(key) ?? (object.fields.has(spreadKey) ? unknown({ line: 0 }) : nothing);
    case "call":
      return object.fields.get(key) ?? plumbing;
    case "input":
      return evaluator.steps.input(key);
    case "state":
      return evaluator.steps.state(object.prefix + key);
    case "run":
      return runField(object, key);
    case "plumbing":
    case "messages":
    case "unknown":
    case "different":
      return object;
    default:
      return dataField(object, key);
  }
}

function call(evaluator: Evaluator, expression: Expression & { kind: "call" }, scope: Scope): Value {
  const { callee, line } = expression;
  const name = lastNameOf(callee) ?? "";
  const args = expression.args.map((arg) => evaluate(evaluator, arg, scope));
  const fields = new Map([...expression.named].map(([key, value]) => [key, evaluate(evaluator, value, scope)]));
  const definition = { kind: "call", name, args, fields, line } as const;
  if (callee.kind === "member") return callOn(evaluator, callee, definition, scope);
  const own =
    callee.kind === "name" ? (scope.find(name) ?? evaluator.outermost.find(name)) : evaluate(evaluator, callee, scope);
  if (own?.kind === "function") return apply(evaluator, own, args, fields) ?? unknown(expression);
  return wellKnown(name, args) ?? definition;
}

function callOn(
  evaluator: Evaluator,
  callee: Expression & { kind: "member" },
  definition: Value & { kind: "call" },
  scope: Scope,
): Value {
  const { name, args, line } = definition;
  const dotted = dottedNameOf(callee) ?? "";
  const static_ = staticCall(dotted, args);
  if (static_) return static_;
  const object = evaluate(evaluator, callee.object, scope);
  if (object.kind === "plumbing") return plumbing;
  if (object.kind === "input" && /^(json|text|model_dump|dict|get_json|copy)$/.test(name)) return object;
  if (object.kind === "call" || object.kind === "class" || isDefinitionName(dotted)) return { ...definition, object };
  const [first, otherwise] = args;
  if (name !== "get" || !first) return method(object, name, args) ?? unknown({ line });
  const found = field(evaluator, object, first);
  return found === nothing ? (otherwise ?? nothing) : found;
}

/** What a function returns if it only computes; undefined otherwise. */
export function apply(
  evaluator: Evaluator,
  { value, scope }: Value & { kind: "function" },
  args: readonly Value[],
  named: ReadonlyMap<string, Value> = new Map(),
): Value | undefined {
  if (evaluator.applications >= maxApplications) return undefined;
  evaluator.applications += 1;
  try {
    const own = new Map<string, Value>();
    const inner: Scope = { find: (name) => own.get(name) ?? scope.find(name) };
    for (const [index, parameter] of value.parameters.entries()) {
      const initial = parameter.initial && evaluate(evaluator, parameter.initial, inner);
      bind(evaluator, parameter, args[index] ?? named.get(parameter.name) ?? initial ?? nothing, own);
    }
    return returned(evaluator, value.body, own, inner);
  } finally {
    evaluator.applications -= 1;
  }
}

/** Gives the names of a target what they stand for. */
export function bind(evaluator: Evaluator, target: Parameter, value: Value, own: Map<string, Value>): void {
  if (target.name !== "") own.set(target.name, value);
  for (const [name, key] of target.fields ?? []) own.set(name, field(evaluator, value, literal(key)));
}

/** Undefined for a body that does more than to give names and to return. */
function returned(
  evaluator: Evaluator,
  body: readonly Statement[],
  own: Map<string, Value>,
  scope: Scope,
): Value | undefined {
  for (const statement of body) {
    if (statement.kind === "return") return statement.value ? evaluate(evaluator, statement.value, scope) : nothing;
    if (statement.kind === "declare")
      bind(evaluator, statement.target, evaluate(evaluator, statement.value, scope), own);
    else if (statement.kind !== "evaluate" || statement.value.kind !== "literal") return undefined;
  }
  return nothing;
}

/** `z.string`, `agents.Agent`: a name of a module before the name of what is made. */
function isDefinitionName(dotted: string): boolean {
  return /^(z|zod)\.|^\w+\.([A-Z]\w*|\w+Tool)$|^Agent\.create$/.test(dotted);
}

/** Where an object holds what is spread into it, if that is not known. */
const spreadKey = "...";

function dataField(object: Value, key: string): Value {
  if (object.kind === "list" && key !== "length") return object.items.at(Number(key)) ?? nothing;
  if (key === "length") return object.kind === "list" ? literal(object.items.length) : operation("length", object);
  if (object.kind !== "path" || !isPathName(key)) return operation("get", object, literal(key));
  if (key === "data" && object.path.endsWith(".documents")) return object;
  // The fields of an answer stand beside the facts about it.
  const isAnswer = /^[\w-]+\.output\.json$/.test(object.path) && key !== "json";
  const base = isAnswer ? object.path.slice(0, -".json".length) : object.path;
  return { kind: "path", path: `${base}.${key}`, schema: fieldSchema(object.schema, key) };
}

function runField(run: Value & { kind: "run" }, key: string): Value {
  if (/^(finalOutput|final_output|output_parsed)$/.test(key)) return run.data;
  if (key === "output_text") return run.text;
  if (/^(newItems|new_items|history|output|rawResponses|raw_responses)$/.test(key)) {
    return { kind: "messages", of: run.nodeIds };
  }
  return plumbing;
}

function textOf(parts: (string | Value)[]): Value {
  const flat = parts.flatMap((part) => {
    if (typeof part === "string") return [part];
    if (part.kind === "text") return part.parts;
    return part.kind === "literal" ? [part.value === null ? "" : String(part.value)] : [part];
  });
  return flat.every((part) => typeof part === "string") ? literal(flat.join("")) : { kind: "text", parts: flat };
}

/** Operations whose outcome the program says already. */
function simplify(operator: Operator, args: Value[]): Value {
  const [first, second] = args;
  if (operator === "not" && first) return negated(first);
  if (operator === "choose") return chosen(args);
  if (!first || !second) return operation(operator, ...args);
  const isDefault = operator === "or" || operator === "otherwise";
  if (first.kind === "plumbing") return isDefault ? second : first;
  if (second.kind === "plumbing") return first;
  const known = ofLiterals(operator, first, second);
  if (known) return known;
  // `x ?? ""` and `x or ""` of an answer: a run always has one.
  const isEmpty = isDefault && second.kind === "literal" && !second.value;
  return isEmpty && /^(path|run|input)$/.test(first.kind) ? first : operation(operator, ...args);
}

function ofLiterals(operator: Operator, first: Value, second: Value): Value | undefined {
  if (first.kind !== "literal" || second.kind !== "literal") return undefined;
  if (operator === "equal") return literal(first.value === second.value);
  const [one, other] = [textIn(first), textIn(second)];
  return operator === "plus" && one !== undefined && other !== undefined ? literal(one + other) : undefined;
}

/** `typeof x === "string" ? JSON.parse(x) : x` is the data of an answer either way. */
function chosen(args: Value[]): Value {
  const [, yes, no] = args;
  const parsed = yes?.kind === "operation" && yes.operator === "parse" ? yes.args[0] : undefined;
  return parsed && no && printValue(parsed) === printValue(no) ? no : operation("choose", ...args);
}

function negated(value: Value): Value {
  if (value.kind === "approval") return { ...value, isPositive: !value.isPositive };
  return value.kind === "plumbing" ? literal(false) : operation("not", value);
}
