/**
 * One small tree for programs in TypeScript, JavaScript and Python: what an export of a builder needs, and `unknown`
 * for the rest. `await`, parentheses, types and assertions are left out.
 */
export type Expression = { line: number } & (
  | { kind: "name"; name: string }
  | { kind: "literal"; value: string | number | boolean | null }
  /** A template literal or an f-string. */
  | { kind: "text"; parts: (string | Expression)[] }
  | { kind: "pattern"; source: string; flags: string }
  | { kind: "member"; object: Expression; property: Expression }
  | { kind: "call"; callee: Expression; args: Expression[]; named: Map<string, Expression> }
  | { kind: "object"; entries: Entry[] }
  | { kind: "list"; items: Expression[] }
  | { kind: "spread"; value: Expression }
  | { kind: "operation"; operator: Operator; args: Expression[] }
  | { kind: "function"; parameters: Parameter[]; body: Statement[] }
  /** `[element for variable in source]`, and `source.map(…)` where it is read as such. */
  | { kind: "each"; source: Expression; element: Expression }
  | { kind: "unknown"; source: string }
);

/** A key of `undefined` spreads the value into the object. */
export type Entry = { key: string | undefined; value: Expression };

export type Operator =
  | "not"
  | "truth"
  | "and"
  | "or"
  | "otherwise"
  | "choose"
  | "equal"
  | "different"
  | "smaller"
  | "smaller-or-equal"
  | "larger"
  | "larger-or-equal"
  | "within"
  | "plus"
  | "minus"
  | "times"
  | "divided"
  | "remainder"
  | "negative"
  | "type";

/** A parameter, or a place to assign to. `fields` of a pattern: which field goes to which name. */
export type Parameter = {
  name: string;
  fields?: Map<string, string>;
  type?: Expression | undefined;
  initial?: Expression | undefined;
};

export type Field = { name: string; type: Expression | undefined; value: Expression | undefined };

/** Lines count from 1 in the file that the statement stands in. */
export type Statement = { line: number; lastLine: number } & (
  | { kind: "declare"; target: Parameter; value: Expression }
  | { kind: "assign"; target: Expression; value: Expression }
  | { kind: "evaluate"; value: Expression }
  | { kind: "if"; test: Expression; body: Statement[]; otherwise: Statement[] }
  | { kind: "while"; test: Expression; body: Statement[] }
  | { kind: "for"; variable: string; source: Expression; body: Statement[] }
  | { kind: "return"; value: Expression | undefined }
  | { kind: "throw" }
  | { kind: "break" }
  | { kind: "continue" }
  | { kind: "with"; values: Expression[]; body: Statement[] }
  | { kind: "try"; body: Statement[]; handlers: Statement[][] }
  | { kind: "function"; name: string; value: Expression & { kind: "function" }; decorators: Expression[]; text: string }
  | { kind: "class"; name: string; bases: string[]; fields: Field[]; methods: Statement[] }
  /** Imports, types and whatever else does nothing. */
  | { kind: "nothing" }
  | { kind: "unknown"; source: string }
);

export type Language = "javascript" | "python";

/** The last name of `a.b.c`, or the name itself; undefined for anything else. */
export function lastNameOf(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "member" || expression.property.kind !== "literal") return undefined;
  return String(expression.property.value);
}

/** `a.b.c` as written; undefined where it is not made of names. */
export function dottedNameOf(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "member") return undefined;
  const object = dottedNameOf(expression.object);
  const name = lastNameOf(expression);
  return object === undefined || name === undefined ? undefined : `${object}.${name}`;
}

/** Every statement inside the given ones, in order, functions and classes included. */
export function* walk(statements: readonly Statement[]): Generator<Statement> {
  for (const statement of statements) {
    yield statement;
    for (const inner of partsOf(statement)) yield* walk(inner);
  }
}

function partsOf(statement: Statement): Statement[][] {
  switch (statement.kind) {
    case "if":
      return [statement.body, statement.otherwise];
    case "while":
    case "for":
    case "with":
      return [statement.body];
    case "try":
      return [statement.body, ...statement.handlers];
    case "class":
      return [statement.methods];
    case "function":
      return [statement.value.body];
    default:
      return [];
  }
}

/** An expression with a minus before it. */
export function negated(value: Expression, line: number): Expression {
  if (value.kind === "literal" && typeof value.value === "number") return { ...value, value: -value.value };
  return { kind: "operation", operator: "negative", args: [value], line };
}

/** Every expression inside the given one, itself first. Functions are entered on request. */
function* expressionsIn(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of partsOfExpression(expression)) yield* expressionsIn(part);
}

function partsOfExpression(expression: Expression): Expression[] {
  switch (expression.kind) {
    case "text":
      return expression.parts.filter((part) => typeof part !== "string");
    case "member":
      return [expression.object, expression.property];
    case "call":
      return [expression.callee, ...expression.args, ...expression.named.values()];
    case "object":
      return expression.entries.map(({ value }) => value);
    case "list":
      return expression.items;
    case "spread":
      return [expression.value];
    case "operation":
      return expression.args;
    case "each":
      return [expression.source, expression.element];
    case "function":
      return expression.body.flatMap((statement) => [...expressionsOf(statement)]);
    default:
      return [];
  }
}

/** The expressions that stand in a statement itself, or in statements inside it. */
export function* expressionsOf(statement: Statement): Generator<Expression> {
  for (const one of walk([statement])) yield* ownExpressions(one);
}

function ownExpressions(statement: Statement): Expression[] {
  switch (statement.kind) {
    case "declare":
    case "evaluate":
      return [...expressionsIn(statement.value)];
    case "assign":
      return [...expressionsIn(statement.target), ...expressionsIn(statement.value)];
    case "if":
    case "while":
      return [...expressionsIn(statement.test)];
    case "for":
      return [...expressionsIn(statement.source)];
    case "return":
      return statement.value ? [...expressionsIn(statement.value)] : [];
    case "with":
      return statement.values.flatMap((value) => [...expressionsIn(value)]);
    default:
      return [];
  }
}
