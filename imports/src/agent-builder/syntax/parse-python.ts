import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";
import type { Expression, Field, Parameter, Statement } from "./program.ts";
import { callArguments, parameters, readExpression, tuple, typeOf } from "./python-expressions.ts";
import { childrenOf, createTreeReader, operators, splitAtCommas, type TreeReader } from "./reader.ts";

/** Reads Python. Never throws: what does not parse is `unknown`. */
export function parsePython(text: string): Statement[] {
  const reader = createTreeReader(text, { readExpression, readStatement });
  return childrenOf(parser.parse(text).topNode).flatMap(reader.statement);
}

function readStatement(reader: TreeReader, node: SyntaxNode): Statement[] {
  const place = { line: reader.lineAt(node.from), lastLine: reader.lineAt(node.to) };
  const parts = childrenOf(node);
  const [, second, third] = parts;
  switch (node.name) {
    case "StatementGroup":
      return parts.flatMap(reader.statement);
    case "DecoratedStatement":
      return decorated(reader, parts);
    case "FunctionDefinition":
      return [functionStatement(reader, node, parts)];
    case "ClassDefinition":
      return [{ ...place, ...classParts(reader, parts) }];
    case "ExpressionStatement":
      return parts.slice(0, 1).map((part) => ({ ...place, kind: "evaluate", value: reader.expression(part) }));
    case "AssignStatement":
      return assignments(reader, parts).map((one) => ({ ...place, ...one }));
    case "UpdateStatement":
      return [{ ...place, ...update(reader, node, parts) }];
    case "IfStatement":
      return [{ ...place, ...condition(reader, parts.slice(1)) }];
    case "WhileStatement":
      return [{ ...place, kind: "while", test: reader.expression(second ?? node), body: bodyOf(reader, parts) }];
    case "ForStatement":
      return [{ ...place, ...forIn(reader, node, parts) }];
    case "ReturnStatement":
      return [{ ...place, kind: "return", value: second && tuple(reader, parts.slice(1)) }];
    case "WithStatement":
      return [{ ...place, kind: "with", values: withValues(reader, parts), body: bodyOf(reader, parts) }];
    case "TryStatement":
      return [{ ...place, ...attempt(reader, parts) }];
    case "RaiseStatement":
      return [{ ...place, kind: "throw" }];
    case "BreakStatement":
      return [{ ...place, kind: "break" }];
    case "ContinueStatement":
      return [{ ...place, kind: "continue" }];
    case "ImportStatement":
    case "PassStatement":
    case "ScopeStatement":
    case "TypeDefinition":
      return [];
    default:
      return third || second || !/^[;:]$/.test(node.name) ? [reader.unknownStatement(node)] : [];
  }
}

/** The last block among the parts. */
const bodyOf = (reader: TreeReader, parts: readonly SyntaxNode[]): Statement[] => {
  const body = parts.findLast(({ name }) => name === "Body");
  return body ? blockOf(reader, body) : [];
};
const blockOf = (reader: TreeReader, body: SyntaxNode): Statement[] =>
  childrenOf(body)
    .filter(({ name }) => name !== ":")
    .flatMap(reader.statement);

function decorated(reader: TreeReader, parts: SyntaxNode[]): Statement[] {
  const decorators = parts
    .filter(({ name }) => name === "Decorator")
    .map((part): Expression => {
      const [, ...names] = childrenOf(part);
      const list = names.find(({ name }) => name === "ArgList");
      const last = names.findLast(({ name }) => name === "VariableName" || name === "PropertyName");
      const line = reader.lineAt(part.from);
      const callee: Expression = { kind: "name", name: last ? reader.textOf(last) : "", line };
      return { kind: "call", callee, ...callArguments(reader, list), line };
    });
  return parts
    .filter(({ name }) => name === "FunctionDefinition" || name === "ClassDefinition")
    .flatMap(reader.statement)
    .map((one) => (one.kind === "function" ? { ...one, decorators } : one));
}

function functionStatement(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Statement {
  const name = parts.find((part) => part.name === "VariableName");
  const list = parts.find((part) => part.name === "ParamList");
  const body = bodyOf(reader, parts);
  const [first] = body;
  const isText = first?.kind === "evaluate" && first.value.kind === "literal";
  const place = { line: reader.lineAt(node.from), lastLine: reader.lineAt(node.to) };
  return {
    ...place,
    kind: "function",
    name: name ? reader.textOf(name) : "",
    value: { kind: "function", parameters: list ? parameters(reader, childrenOf(list)) : [], body, line: place.line },
    decorators: [],
    text: isText && first.value.kind === "literal" ? String(first.value.value) : "",
  };
}

function classParts(reader: TreeReader, parts: SyntaxNode[]) {
  const name = parts.find((part) => part.name === "VariableName");
  const list = parts.find((part) => part.name === "ArgList");
  const body = parts.find((part) => part.name === "Body");
  const inside = body ? childrenOf(body) : [];
  const bases = list ? splitAtCommas(childrenOf(list)).flatMap(([base]) => (base ? [reader.textOf(base)] : [])) : [];
  return {
    kind: "class" as const,
    name: name ? reader.textOf(name) : "",
    bases,
    fields: inside.flatMap((one) => field(reader, one)),
    methods: inside
      .filter((part) => /^(FunctionDefinition|DecoratedStatement)$/.test(part.name))
      .flatMap(reader.statement),
  };
}

function field(reader: TreeReader, node: SyntaxNode): Field[] {
  if (node.name !== "AssignStatement" && node.name !== "ExpressionStatement") return [];
  const parts = childrenOf(node);
  const [name] = parts;
  const type = parts.find((part) => part.name === "TypeDef");
  const at = parts.findIndex((part) => part.name === "AssignOp");
  const value = at < 0 ? undefined : parts[at + 1];
  if (name?.name !== "VariableName" || (!type && !value)) return [];
  return [{ name: reader.textOf(name), type: typeOf(reader, type), value: value && reader.expression(value) }];
}

type Assignment =
  | { kind: "declare"; target: Parameter; value: Expression }
  | { kind: "assign"; target: Expression; value: Expression }
  | { kind: "nothing" };

/** `a = b`, `a: T = b`, `a, b = c`, `a = b = c`. */
function assignments(reader: TreeReader, parts: SyntaxNode[]): Assignment[] {
  const groups: SyntaxNode[][] = [[]];
  for (const part of parts) {
    if (part.name === "AssignOp") groups.push([]);
    else if (part.name !== "TypeDef") groups.at(-1)?.push(part);
  }
  const right = groups.pop() ?? [];
  if (groups.length === 0) return [{ kind: "nothing" }];
  const value = tuple(reader, right);
  return groups.map((group): Assignment => {
    const names = group.filter(({ name }) => name !== ",");
    const [only] = names;
    if (names.length === 1 && only && only.name !== "VariableName" && only.name !== "TupleExpression") {
      return { kind: "assign", target: reader.expression(only), value };
    }
    if (names.length === 1 && only) return { kind: "declare", target: { name: reader.textOf(only) }, value };
    const fields = new Map(names.map((part, index) => [reader.textOf(part), String(index)]));
    return { kind: "declare", target: { name: "", fields }, value };
  });
}

function update(reader: TreeReader, node: SyntaxNode, [target, operator, value]: SyntaxNode[]) {
  if (!target || !operator || !value) return { kind: "unknown" as const, source: reader.textOf(node).slice(0, 500) };
  const left = reader.expression(target);
  const short = operators.get(reader.textOf(operator).slice(0, -1));
  if (!short) return { kind: "unknown" as const, source: reader.textOf(node).slice(0, 500) };
  const sum: Expression = {
    kind: "operation",
    operator: short,
    args: [left, reader.expression(value)],
    line: left.line,
  };
  return { kind: "assign" as const, target: left, value: sum };
}

/** Test, body, and `elif` or `else` with what follows. */
function condition(reader: TreeReader, parts: SyntaxNode[]): Statement & { kind: "if" } {
  const [test, body, next, ...rest] = parts;
  const line = reader.lineAt(test?.from ?? 0);
  const lastLine = reader.lineAt(parts.at(-1)?.to ?? 0);
  const otherwise =
    next?.name === "elif"
      ? [condition(reader, rest)]
      : next?.name === "else" && rest[0]
        ? blockOf(reader, rest[0])
        : [];
  return {
    kind: "if",
    test: test ? reader.expression(test) : { kind: "unknown", source: "", line },
    body: body ? blockOf(reader, body) : [],
    otherwise,
    line,
    lastLine,
  };
}

function forIn(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]) {
  const at = parts.findIndex(({ name }) => name === "in");
  const variable = parts.find(({ name }) => name === "VariableName");
  const source = parts[at + 1];
  if (!source || !variable) return { kind: "unknown" as const, source: reader.textOf(node).slice(0, 500) };
  return {
    kind: "for" as const,
    variable: reader.textOf(variable),
    source: reader.expression(source),
    body: bodyOf(reader, parts),
  };
}

function withValues(reader: TreeReader, parts: SyntaxNode[]): Expression[] {
  return parts
    .filter(({ name }) => name !== "with" && name !== "as" && name !== "," && name !== "Body" && name !== "async")
    .map(reader.expression);
}

function attempt(reader: TreeReader, parts: SyntaxNode[]) {
  const bodies = parts.flatMap((part, index) => {
    const before = parts.slice(0, index).findLast(({ name }) => /^(try|except|else|finally)$/.test(name));
    return part.name === "Body" ? [{ of: before?.name, statements: blockOf(reader, part) }] : [];
  });
  const [handlers, rest] = [bodies.filter(({ of }) => of === "except"), bodies.filter(({ of }) => of !== "except")];
  return {
    kind: "try" as const,
    body: rest.flatMap(({ statements }) => statements),
    handlers: handlers.map(({ statements }) => statements),
  };
}
