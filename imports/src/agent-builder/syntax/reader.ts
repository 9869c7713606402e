import type { SyntaxNode } from "@lezer/common";
import type { Expression, Operator, Statement } from "./program.ts";

/** How deep a program may be nested. Deeper parts are `unknown`. */
const maxDepth = 200;

/** How one language reads its nodes. */
type Grammar = {
  readExpression(reader: TreeReader, node: SyntaxNode): Expression;
  readStatement(reader: TreeReader, node: SyntaxNode): Statement[];
};

/** Reads the nodes of a syntax tree. What is nested too deeply is `unknown`. */
export type TreeReader = {
  readonly text: string;
  expression(node: SyntaxNode): Expression;
  statement(node: SyntaxNode): Statement[];
  textOf(node: SyntaxNode): string;
  lineAt(position: number): number;
  unknown(node: SyntaxNode): Expression & { kind: "unknown" };
  unknownStatement(node: SyntaxNode): Statement;
};

export function createTreeReader(text: string, grammar: Grammar): TreeReader {
  const starts = [0];
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) starts.push(index + 1);
  let depth = 0;
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  function lineAt(position: number): number {
    let low = 0;
    let high = starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  }
  const sourceOf = (node: SyntaxNode) => text.slice(node.from, Math.min(node.to, node.from + 500));
  const unknown = (node: SyntaxNode) => ({
    kind: "unknown" as const,
    source: sourceOf(node),
    line: lineAt(node.from),
  });
  const unknownStatement = (node: SyntaxNode): Statement => ({ ...unknown(node), lastLine: lineAt(node.to) });
  /** Undefined where the work would be too deep. */
  function deeper<Result>(work: () => Result): Result | undefined {
    if (depth >= maxDepth) return undefined;
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
    }
  }
  const reader: TreeReader = {
    text,
    textOf,
    lineAt,
    unknown,
    unknownStatement,
    expression: (node) => deeper(() => grammar.readExpression(reader, node)) ?? unknown(node),
    statement: (node) => deeper(() => grammar.readStatement(reader, node)) ?? [unknownStatement(node)],
  };
  return reader;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (!child.type.isError && !/Comment$/.test(child.name)) children.push(child);
  }
  return children;
}

/** The parts between commas, without the brackets around them. */
export function splitAtCommas(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === ",") groups.push([]);
    else if (!brackets.has(node.name)) groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
}

const brackets = new Set(["(", ")", "[", "]", "{", "}"]);

/** Operators of both languages by how they are written. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["&&", "and"],
  ["and", "and"],
  ["||", "or"],
  ["|", "or"],
  ["or", "or"],
  ["??", "otherwise"],
  ["==", "equal"],
  ["===", "equal"],
  ["is", "equal"],
  ["!=", "different"],
  ["!==", "different"],
  ["is not", "different"],
  ["<", "smaller"],
  ["<=", "smaller-or-equal"],
  [">", "larger"],
  [">=", "larger-or-equal"],
  ["in", "within"],
  ["+", "plus"],
  ["-", "minus"],
  ["*", "times"],
  ["/", "divided"],
  ["%", "remainder"],
]);

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\n": "",
};

/** The characters that a literal between quotes stands for. What no language knows stays as it is written. */
export function unescapeText(text: string, language: "javascript" | "python"): string {
  const pattern = /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[\s\S])/g;
  return text.replaceAll(pattern, (whole) => {
    const code = Number.parseInt(whole.replace(/^\\[uUx]\{?/, ""), 16);
    if (whole.length > 2) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    const one = whole.slice(1);
    if (Object.hasOwn(escapes, one)) return escapes[one] ?? "";
    return language === "javascript" || /["'`\\]/.test(one) ? one : whole;
  });
}
