import type { SyntaxNode } from "@lezer/common";
import { type Entry, type Expression, negated, type Parameter, type Statement } from "./program.ts";
import { childrenOf, operators, splitAtCommas, type TreeReader, unescapeText } from "./reader.ts";

export function parameters(reader: TreeReader, nodes: readonly SyntaxNode[]): Parameter[] {
  return splitAtCommas(nodes).flatMap((group) => {
    const name = group.find((part) => part.name === "VariableName");
    const type = group.find((part) => part.name === "TypeDef");
    const at = group.findIndex((part) => part.name === "AssignOp");
    const initial = at < 0 ? undefined : group[at + 1];
    if (!name) return [];
    return [{ name: reader.textOf(name), type: typeOf(reader, type), initial: initial && reader.expression(initial) }];
  });
}

export function typeOf(reader: TreeReader, node: SyntaxNode | undefined): Expression | undefined {
  const inner = node && childrenOf(node).find(({ name }) => name !== ":" && name !== "->");
  return inner && reader.expression(inner);
}

export function tuple(reader: TreeReader, nodes: readonly SyntaxNode[]): Expression {
  const values = splitAtCommas(nodes).flatMap(([first]) => (first ? [first] : []));
  const [only] = values;
  if (values.length === 1 && only) return reader.expression(only);
  const line = reader.lineAt(only?.from ?? 0);
  return { kind: "list", items: values.map(reader.expression), line };
}

export function readExpression(reader: TreeReader, node: SyntaxNode): Expression {
  const line = reader.lineAt(node.from);
  const parts = childrenOf(node);
  const [first, second] = parts;
  switch (node.name) {
    case "VariableName":
      return { kind: "name", name: reader.textOf(node), line };
    case "String":
      return { kind: "literal", value: stringValue(reader.textOf(node)), line };
    case "ContinuedString":
      return joinTexts(parts.map(reader.expression), line);
    case "FormatString":
      return formatString(reader, node, parts);
    case "Number":
      return { kind: "literal", value: Number(reader.textOf(node).replaceAll("_", "")), line };
    case "Boolean":
      return { kind: "literal", value: reader.textOf(node) === "True", line };
    case "None":
      return { kind: "literal", value: null, line };
    case "ParenthesizedExpression":
    case "AwaitExpression":
      return second ? reader.expression(second) : reader.unknown(node);
    case "MemberExpression":
      return member(reader, node, parts);
    case "CallExpression": {
      const list = parts.find(({ name }) => name === "ArgList");
      if (!first) return reader.unknown(node);
      return { kind: "call", callee: reader.expression(first), ...callArguments(reader, list), line };
    }
    case "DictionaryExpression":
      return { kind: "object", entries: entries(reader, parts), line };
    case "ArrayExpression":
    case "TupleExpression":
    case "SetExpression":
      return { kind: "list", items: items(reader, parts), line };
    case "ArrayComprehensionExpression":
    case "ComprehensionExpression":
      return comprehension(reader, node, parts);
    case "UnaryExpression":
      return unary(reader, node, first, second);
    case "BinaryExpression":
      return binary(reader, node, parts);
    case "ConditionalExpression": {
      const [yes, , test, , no] = parts;
      if (!test || !yes || !no) return reader.unknown(node);
      return { kind: "operation", operator: "choose", args: [test, yes, no].map(reader.expression), line };
    }
    case "LambdaExpression": {
      const last = parts.at(-1);
      const list = parts.find(({ name }) => name === "ParamList");
      const value = last ? reader.expression(last) : undefined;
      const body: Statement[] = [{ kind: "return", value, line, lastLine: line }];
      return { kind: "function", parameters: list ? parameters(reader, childrenOf(list)) : [], body, line };
    }
    default:
      return reader.unknown(node);
  }
}

function formatString(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const line = reader.lineAt(node.from);
  const [start, end] = contentRange(reader.text.slice(node.from, node.to));
  const isRaw = /^[a-z]*r/i.test(reader.textOf(node).slice(0, 3));
  const read = (from: number, to: number) => {
    const raw = reader.text.slice(from, to).replaceAll("{{", "{").replaceAll("}}", "}");
    return isRaw ? raw : unescapeText(raw, "python");
  };
  const pieces: (string | Expression)[] = [];
  let from = node.from + start;
  for (const part of parts.filter(({ name }) => name === "FormatReplacement")) {
    pieces.push(read(from, part.from));
    const inner = childrenOf(part).find(({ name }) => !/^([{}]|Format)/.test(name));
    if (inner) pieces.push(reader.expression(inner));
    from = part.to;
  }
  pieces.push(read(from, node.from + end));
  return joinTexts(
    pieces.map((piece) => (typeof piece === "string" ? { kind: "literal", value: piece, line } : piece)),
    line,
  );
}

function member(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const line = reader.lineAt(node.from);
  const [object] = parts;
  const name = parts.find((part) => part.name === "PropertyName");
  if (!object) return reader.unknown(node);
  if (name) {
    const property: Expression = { kind: "literal", value: reader.textOf(name), line };
    return { kind: "member", object: reader.expression(object), property, line };
  }
  const index = parts.slice(parts.findIndex((part) => part.name === "[") + 1);
  if (index.some((part) => part.name === ":")) return reader.unknown(node);
  return { kind: "member", object: reader.expression(object), property: tuple(reader, index), line };
}

export function callArguments(
  reader: TreeReader,
  list: SyntaxNode | undefined,
): { args: Expression[]; named: Map<string, Expression> } {
  const args: Expression[] = [];
  const named = new Map<string, Expression>();
  if (!list) return { args, named };
  for (const group of splitAtCommas(childrenOf(list))) {
    const at = group.findIndex(({ name }) => name === "AssignOp");
    const [key] = group;
    const value = group[at + 1];
    if (at > 0 && key && value) named.set(reader.textOf(key), reader.expression(value));
    else if (group.some(({ name }) => name === "for")) args.push(comprehension(reader, list, group));
    else args.push(...items(reader, group));
  }
  return { args, named };
}

function items(reader: TreeReader, parts: readonly SyntaxNode[]): Expression[] {
  return splitAtCommas(parts).flatMap(([first, second]): Expression[] => {
    if (!first) return [];
    if (first.name !== "*" && first.name !== "**") return [reader.expression(first)];
    return second ? [{ kind: "spread", value: reader.expression(second), line: reader.lineAt(first.from) }] : [];
  });
}

function entries(reader: TreeReader, parts: SyntaxNode[]): Entry[] {
  return splitAtCommas(parts).flatMap((group): Entry[] => {
    const [key, sign, value] = group;
    if (key?.name === "**") return sign ? [{ key: undefined, value: reader.expression(sign) }] : [];
    if (!key || sign?.name !== ":" || !value) return [];
    const read = reader.expression(key);
    return read.kind === "literal" ? [{ key: String(read.value), value: reader.expression(value) }] : [];
  });
}

function comprehension(reader: TreeReader, node: SyntaxNode, parts: readonly SyntaxNode[]): Expression {
  const element = parts.find(({ name }) => name !== "[" && name !== "(");
  const source = parts[parts.findIndex(({ name }) => name === "in") + 1];
  if (!element || !source) return reader.unknown(node);
  return {
    kind: "each",
    source: reader.expression(source),
    element: reader.expression(element),
    line: reader.lineAt(node.from),
  };
}

function unary(
  reader: TreeReader,
  node: SyntaxNode,
  operator: SyntaxNode | undefined,
  value: SyntaxNode | undefined,
): Expression {
  const line = reader.lineAt(node.from);
  if (!operator || !value) return reader.unknown(node);
  const read = reader.expression(value);
  if (reader.textOf(operator) === "not") return { kind: "operation", operator: "not", args: [read], line };
  if (reader.textOf(operator) !== "-") return reader.textOf(operator) === "+" ? read : reader.unknown(node);
  return negated(read, line);
}

function binary(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const line = reader.lineAt(node.from);
  const [left] = parts;
  const right = parts.at(-1);
  const sign = parts.slice(1, -1).map(reader.textOf).join(" ");
  if (!left || !right) return reader.unknown(node);
  const args = [reader.expression(left), reader.expression(right)];
  if (sign === "not in") {
    return {
      kind: "operation",
      operator: "not",
      args: [{ kind: "operation", operator: "within", args, line }],
      line,
    };
  }
  const operator = operators.get(sign);
  return operator ? { kind: "operation", operator, args, line } : reader.unknown(node);
}

/** Where the content of a literal begins and ends, within its prefix and quotes. */
function contentRange(literal: string): [number, number] {
  const start = literal.search(/["']/);
  const quote = /^("""|'''|["'])/.exec(literal.slice(Math.max(start, 0)))?.[0] ?? "";
  const from = Math.max(start, 0) + quote.length;
  const isClosed = literal.length >= from + quote.length && literal.endsWith(quote);
  return [from, isClosed ? literal.length - quote.length : literal.length];
}

function stringValue(literal: string): string {
  const [from, to] = contentRange(literal);
  const content = literal.slice(from, to);
  return /^[a-z]*r/i.test(literal.slice(0, 2)) ? content : unescapeText(content, "python");
}

/** Texts one after the other: a literal where all of them are. */
function joinTexts(texts: readonly Expression[], line: number): Expression {
  const parts: (string | Expression)[] = [];
  for (const one of texts.flatMap(piecesOf)) {
    const last = parts.at(-1);
    if (typeof one === "string" && typeof last === "string") parts[parts.length - 1] = last + one;
    else if (one !== "") parts.push(one);
  }
  const [only = "", ...more] = parts;
  return typeof only === "string" && more.length === 0
    ? { kind: "literal", value: only, line }
    : { kind: "text", parts, line };
}

function piecesOf(text: Expression): (string | Expression)[] {
  if (text.kind === "literal") return [String(text.value ?? "")];
  return text.kind === "text" ? text.parts : [text];
}
