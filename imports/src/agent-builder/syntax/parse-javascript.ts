import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/javascript";
import { blockOf, functionExpression, parameter, readExpression } from "./javascript-expressions.ts";
import type { Expression, Statement } from "./program.ts";
import { childrenOf, createTreeReader, operators, splitAtCommas, type TreeReader } from "./reader.ts";

const typescript = parser.configure({ dialect: "ts" });

/** Reads TypeScript or JavaScript. Never throws: what does not parse is `unknown`. */
export function parseJavaScript(text: string): Statement[] {
  const reader = createTreeReader(text, { readExpression, readStatement });
  return childrenOf(typescript.parse(text).topNode).flatMap(reader.statement);
}

function readStatement(reader: TreeReader, node: SyntaxNode): Statement[] {
  const place = { line: reader.lineAt(node.from), lastLine: reader.lineAt(node.to) };
  const parts = childrenOf(node);
  switch (node.name) {
    case "ExportDeclaration": {
      const inner = parts.filter(({ name }) => name !== "export" && name !== "default" && name !== ";");
      return inner.some(({ name }) => name === "ExportGroup") ? [] : inner.flatMap(reader.statement);
    }
    case "VariableDeclaration":
      return declarations(reader, parts).map((declared) => ({ ...place, ...declared }));
    case "FunctionDeclaration":
    case "MethodDeclaration":
      return [functionStatement(reader, node, parts)];
    case "ClassDeclaration":
      return [classStatement(reader, node, parts)];
    case "ExpressionStatement":
      return parts.filter(({ name }) => name !== ";").map((part) => ({ ...place, ...effect(reader, part) }));
    case "IfStatement":
      return [{ ...place, ...condition(reader, parts) }];
    case "WhileStatement":
      return [
        { ...place, kind: "while", test: reader.expression(parts[1] ?? node), body: blockOf(reader, parts.at(-1)) },
      ];
    case "ForStatement":
      return [{ ...place, ...forOf(reader, node, parts) }];
    case "ReturnStatement": {
      const value = parts.find(({ name }) => name !== "return" && name !== ";");
      return [{ ...place, kind: "return", value: value && reader.expression(value) }];
    }
    case "TryStatement":
      return [{ ...place, ...attempt(reader, parts) }];
    case "Block":
      return blockOf(reader, node);
    case "ThrowStatement":
      return [{ ...place, kind: "throw" }];
    case "BreakStatement":
      return [{ ...place, kind: "break" }];
    case "ContinueStatement":
      return [{ ...place, kind: "continue" }];
    case "ImportDeclaration":
    case "InterfaceDeclaration":
    case "TypeAliasDeclaration":
    case "AmbientDeclaration":
    case ";":
      return [];
    default:
      return [reader.unknownStatement(node)];
  }
}

function declarations(reader: TreeReader, parts: SyntaxNode[]) {
  const groups = splitAtCommas(parts.filter(({ name }) => !/^(const|let|var|;|TypeAnnotation)$/.test(name)));
  return groups.map((group) => {
    const [target, equals, value] = group;
    const initial: Expression =
      equals?.name === "Equals" && value
        ? reader.expression(value)
        : { kind: "literal", value: null, line: reader.lineAt(target?.from ?? 0) };
    return { kind: "declare" as const, target: target ? parameter(reader, [target]) : { name: "" }, value: initial };
  });
}

function functionStatement(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Statement {
  const name = parts.find((part) => part.name === "VariableDefinition" || part.name === "PropertyDefinition");
  const value = functionExpression(reader, node, parts);
  const place = { line: value.line, lastLine: reader.lineAt(node.to) };
  return { ...place, kind: "function", name: name ? reader.textOf(name) : "", value, decorators: [], text: "" };
}

function classStatement(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]): Statement {
  const name = parts.find((part) => part.name === "VariableDefinition");
  const body = parts.find((part) => part.name === "ClassBody");
  const members = body ? childrenOf(body).filter((part) => part.name === "MethodDeclaration") : [];
  return {
    line: reader.lineAt(node.from),
    lastLine: reader.lineAt(node.to),
    kind: "class",
    name: name ? reader.textOf(name) : "",
    bases: [],
    fields: [],
    methods: members.flatMap(reader.statement),
  };
}

function effect(reader: TreeReader, node: SyntaxNode) {
  if (node.name !== "AssignmentExpression") return { kind: "evaluate" as const, value: reader.expression(node) };
  const [target, operator, value] = childrenOf(node);
  if (!target || !operator || !value) return { kind: "unknown" as const, source: reader.textOf(node).slice(0, 500) };
  const left = reader.expression(target);
  const right = reader.expression(value);
  const short = operators.get(reader.textOf(operator).slice(0, -1));
  const sum: Expression = short ? { kind: "operation", operator: short, args: [left, right], line: left.line } : right;
  return { kind: "assign" as const, target: left, value: sum };
}

function condition(reader: TreeReader, parts: SyntaxNode[]) {
  const [, test, body] = parts;
  const at = parts.findIndex(({ name }) => name === "else");
  return {
    kind: "if" as const,
    test: test ? reader.expression(test) : ({ kind: "unknown", source: "", line: 0 } as const),
    body: blockOf(reader, body),
    otherwise: at < 0 ? [] : blockOf(reader, parts[at + 1]),
  };
}

function forOf(reader: TreeReader, node: SyntaxNode, parts: SyntaxNode[]) {
  const spec = parts.find(({ name }) => name === "ForOfSpec");
  const inside = spec ? childrenOf(spec) : [];
  const of = inside.findIndex(({ name }) => name === "of");
  const source = inside[of + 1];
  const variable = inside.find(({ name }) => name === "VariableDefinition");
  if (!source || of < 0) return { kind: "unknown" as const, source: reader.textOf(node).slice(0, 500) };
  const name = variable ? reader.textOf(variable) : "";
  return {
    kind: "for" as const,
    variable: name,
    source: reader.expression(source),
    body: blockOf(reader, parts.at(-1)),
  };
}

function attempt(reader: TreeReader, parts: SyntaxNode[]) {
  const handlers = parts
    .filter(({ name }) => name === "CatchClause")
    .map((part) => blockOf(reader, childrenOf(part).at(-1)));
  const last = parts.find(({ name }) => name === "FinallyClause");
  const end = last ? blockOf(reader, childrenOf(last).at(-1)) : [];
  return {
    kind: "try" as const,
    body: [
      ...blockOf(
        reader,
        parts.find(({ name }) => name === "Block"),
      ),
      ...end,
    ],
    handlers,
  };
}
