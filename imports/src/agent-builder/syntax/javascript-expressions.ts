import type { SyntaxNode } from "@lezer/common";
import { type Entry, type Expression, negated, type Parameter, type Statement } from "./program.ts";
import { childrenOf, operators, splitAtCommas, type TreeReader, unescapeText } from "./reader.ts";

export const blockOf = (reader: TreeReader, node: SyntaxNode | undefined): Statement[] => {
  if (!node) return [];
  if (node.name !== "Block") return reader.statement(node);
  return childrenOf(node)
    .filter(({ name }) => name !== "{" && name !== "}")
    .flatMap(reader.statement);
};

export function parameter(reader: TreeReader, nodes: readonly SyntaxNode[]): Parameter {
  const target = nodes.find(({ name }) => name === "VariableDefinition" || name.endsWith("Pattern"));
  const at = nodes.findIndex(({ name }) => name === "Equals");
  const value = at < 0 ? undefined : nodes[at + 1];
  const initial = value ? reader.expression(value) : undefined;
  if (target?.name === "ObjectPattern") return { name: "", fields: patternFields(reader, target), initial };
  if (target?.name === "ArrayPattern") {
    const names = splitAtCommas(childrenOf(target)).map(([part]) => (part ? reader.textOf(part) : ""));
    return { name: "", fields: new Map(names.map((name, index) => [name, String(index)])), initial };
  }
  return { name: target ? reader.textOf(target) : "", initial };
}

function patternFields(reader: TreeReader, pattern: SyntaxNode): Map<string, string> {
  const fields = new Map<string, string>();
  for (const property of childrenOf(pattern).filter(({ name }) => name === "PatternProperty")) {
    const parts = childrenOf(property);
    const key = parts.find(({ name }) => name === "PropertyName");
    const own = parts.find(({ name }) => name === "VariableDefinition");
    if (own) fields.set(reader.textOf(own), reader.textOf(key ?? own));
  }
  return fields;
}

export function functionExpression(
  reader: TreeReader,
  node: SyntaxNode,
  parts: SyntaxNode[],
): Expression & { kind: "function" } {
  const line = reader.lineAt(node.from);
  const list = parts.find(({ name }) => name === "ParamList");
  const single = parts.find(({ name }) => name === "VariableDefinition");
  const groups = list ? splitAtCommas(childrenOf(list)) : single && node.name === "ArrowFunction" ? [[single]] : [];
  const last = parts.at(-1);
  const body: Statement[] = !last
    ? []
    : last.name === "Block"
      ? blockOf(reader, last)
      : [{ kind: "return", value: reader.expression(last), line, lastLine: line }];
  return { kind: "function", parameters: groups.map((one) => parameter(reader, one)), body, line };
}

export function readExpression(reader: TreeReader, node: SyntaxNode): Expression {
  const line = reader.lineAt(node.from);
  const parts = childrenOf(node);
  const [first, second, third] = parts;
  switch (node.name) {
    case "VariableName":
    case "this": {
      const name = reader.textOf(node);
      return name === "undefined" ? { kind: "literal", value: null, line } : { kind: "name", name, line };
    }
    case "String":
      return { kind: "literal", value: unescapeText(reader.textOf(node).slice(1, -1), "javascript"), line };
    case "Number":
      return { kind: "literal", value: Number(reader.textOf(node).replaceAll("_", "")), line };
    case "BooleanLiteral":
      return { kind: "literal", value: reader.textOf(node) === "true", line };
    case "null":
      return { kind: "literal", value: null, line };
    case "RegExp":
      return pattern(reader.textOf(node), line);
    case "TemplateString":
      return template(reader, node, parts);
    case "ParenthesizedExpression":
      return second ? reader.expression(second) : reader.unknown(node);
    case "AwaitExpression":
      return second ? reader.expression(second) : reader.unknown(node);
    case "InstantiationExpression":
    case "PostfixExpression":
      return first ? reader.expression(first) : reader.unknown(node);
    case "MemberExpression":
      return member(reader, node, parts);
    case "CallExpression":
      return call(reader, node, first);
    case "NewExpression":
      return call(reader, node, second);
    case "ObjectExpression":
      return {
        kind: "object",
        entries: parts.filter(({ name }) => name === "Property").flatMap((one) => entry(reader, one)),
        line,
      };
    case "ArrayExpression":
      return { kind: "list", items: items(reader, parts), line };
    case "UnaryExpression":
      return unary(reader, node, first, second);
    case "BinaryExpression":
      return binary(reader, node, parts);
    case "ConditionalExpression": {
      const [test, , yes, , no] = parts;
      if (!test || !yes || !no) return reader.unknown(node);
      return { kind: "operation", operator: "choose", args: [test, yes, no].map(reader.expression), line };
    }
    case "ArrowFunction":
    case "FunctionExpression":
      return functionExpression(reader, node, parts);
    case "AssignmentExpression":
      return third ? reader.expression(third) : reader.unknown(node);
    default:
      return reader.unknown(node);
  }
}

function items(reader: TreeReader, parts: SyntaxNode[]): Expression[] {
  return splitAtCommas(parts).flatMap(([first, second]): Expression[] => {
    if (!first) return [];
    if (first.name !== "Spread") return [reader.expression(first)];
    return second ? [{ kind: "spread", value: reader.expression(second), line: reader.lineAt(first.from) }] : [];
  });
}

function template(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const line = reader.lineAt(node.from);
  const pieces: (string | Expression)[] = [];
  let from = node.from + 1;
  const end = reader.text[node.to - 1] === "`" && node.to > from ? node.to - 1 : node.to;
  for (const part of parts.filter(({ name }) => name === "Interpolation")) {
    pieces.push(unescapeText(reader.text.slice(from, part.from), "javascript"));
    const inner = childrenOf(part).find(({ name }) => !name.startsWith("Interpolation"));
    if (inner) pieces.push(reader.expression(inner));
    from = part.to;
  }
  pieces.push(unescapeText(reader.text.slice(from, end), "javascript"));
  const filled = pieces.filter((piece) => piece !== "");
  if (filled.length === 0) return { kind: "literal", value: "", line };
  const [only] = filled;
  return filled.length === 1 && typeof only === "string"
    ? { kind: "literal", value: only, line }
    : { kind: "text", parts: filled, line };
}

function member(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const line = reader.lineAt(node.from);
  const [object] = parts;
  const name = parts.find((part) => part.name === "PropertyName" || part.name === "PrivatePropertyName");
  if (object && name) {
    return {
      kind: "member",
      object: reader.expression(object),
      property: { kind: "literal", value: reader.textOf(name), line },
      line,
    };
  }
  const at = parts.findIndex((part) => part.name === "[");
  const index = parts[at + 1];
  if (!object || at < 0 || !index) return reader.unknown(node);
  return { kind: "member", object: reader.expression(object), property: reader.expression(index), line };
}

function call(reader: TreeReader, node: SyntaxNode, callee: SyntaxNode | undefined): Expression {
  if (!callee) return reader.unknown(node);
  const list = childrenOf(node).find(({ name }) => name === "ArgList");
  const args = list ? items(reader, childrenOf(list)) : [];
  return { kind: "call", callee: reader.expression(callee), args, named: new Map(), line: reader.lineAt(node.from) };
}

function entry(reader: TreeReader, property: SyntaxNode): Entry[] {
  const parts = childrenOf(property);
  const [first, second] = parts;
  if (first?.name === "Spread") return second ? [{ key: undefined, value: reader.expression(second) }] : [];
  const line = reader.lineAt(property.from);
  const colon = parts.findIndex(({ name }) => name === ":");
  const key = parts.find(({ name }) => name === "PropertyDefinition" || name === "String" || name === "Number");
  if (!key) return [];
  const name = key.name === "String" ? unescapeText(reader.textOf(key).slice(1, -1), "javascript") : reader.textOf(key);
  const value = parts[colon + 1];
  if (colon >= 0) return value ? [{ key: name, value: reader.expression(value) }] : [];
  if (parts.some((part) => part.name === "ParamList"))
    return [{ key: name, value: functionExpression(reader, property, parts) }];
  return [{ key: name, value: { kind: "name", name, line } }];
}

function unary(
  reader: TreeReader,
  node: SyntaxNode,
  operator: SyntaxNode | undefined,
  value: SyntaxNode | undefined,
): Expression {
  const line = reader.lineAt(node.from);
  if (!operator || !value) return reader.unknown(node);
  const sign = reader.textOf(operator);
  if (sign === "void") return { kind: "literal", value: null, line };
  if (sign === "!") return { kind: "operation", operator: "not", args: [reader.expression(value)], line };
  const read = reader.expression(value);
  if (sign === "typeof") return { kind: "operation", operator: "type", args: [read], line };
  if (sign !== "-") return sign === "+" ? read : reader.unknown(node);
  return negated(read, line);
}

function binary(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Expression {
  const [left, sign, right] = parts;
  if (!left || !sign || !right) return reader.unknown(node);
  if (sign.name === "as" || sign.name === "satisfies") return reader.expression(left);
  const operator = operators.get(reader.textOf(sign));
  if (!operator || operator === "within") return reader.unknown(node);
  return {
    kind: "operation",
    operator,
    args: [reader.expression(left), reader.expression(right)],
    line: reader.lineAt(node.from),
  };
}

function pattern(text: string, line: number): Expression {
  const end = text.lastIndexOf("/");
  return { kind: "pattern", source: text.slice(1, end), flags: text.slice(end + 1), line };
}
