import type { AST } from "@eslint-community/regexpp";
import { parseSync, Visitor } from "oxc-parser";
import { type CharSet, JS } from "refa";
import { Chars, getConsumedChars, type ReadonlyFlags } from "regexp-ast-analysis";
import { analyse } from "scslre";

/** A pattern that may take more than linear time. `problem` says where, and on which text. */
export type SlowPattern = { line: number; pattern: string; problem: string };

/** A pattern whose text is bounded by construction says so, in a comment on its line or above its statement. */
const reason = /\/\/ linear: \S/;

/**
 * The patterns of a source that may take more than linear time over a text, and those that are put together at run time,
 * which nobody can tell. What has its reason beside it is left out.
 */
export function findSlowPatterns(path: string, source: string): SlowPattern[] {
  const found: SlowPattern[] = [];
  const lines = source.split("\n");
  const add = (start: number, pattern: string, problem: string | undefined) => {
    const line = source.slice(0, start).split("\n").length;
    const isExplained = [line - 1, line - 2, line - 3]
      .map((at) => lines[at])
      .some((text) => text !== undefined && reason.test(text));
    if (problem !== undefined && !isExplained) found.push({ line, pattern, problem });
  };
  const made = ({ start, end, callee, arguments: given }: Made) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [pattern, flags] = given.map((one) => (one.type === "Literal" ? String(one.value) : undefined));
    const text = source.slice(start, end);
    if (pattern === undefined) add(start, text, "It is put together at run time.");
    else add(start, text, problemOf(pattern, flags ?? ""));
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node)
        add(node.start, source.slice(node.start, node.end), problemOf(node.regex.pattern, node.regex.flags));
    },
    NewExpression: (node) => made(node as Made),
    CallExpression: (node) => made(node as Made),
  }).visit(parseSync(path, source).program);
  return found;
}

type Made = {
  start: number;
  end: number;
  callee: { type: string; name?: string };
  arguments: { type: string; value?: unknown }[];
};

/** Why a pattern may take more than linear time. Undefined: it does not. */
export function problemOf(source: string, flags: string): string | undefined {
  const parser = JS.Parser.fromLiteral({ source, flags });
  const [report] = analyse(parser.literal, { assumeRejectingSuffix: false }).reports;
  if (report !== undefined) {
    return `${report.exponential ? "It backtracks without end" : "It reads again what it has read"} on ${JSON.stringify(report.character.pick)} repeated.`;
  }
  if (flags.includes("y")) return undefined;
  const { pattern, flags: parsed } = parser.ast as { pattern: AST.Pattern; flags: ReadonlyFlags };
  for (const alternative of pattern.alternatives) {
    const quantifier = rescannedBy(alternative, parsed);
    if (quantifier !== undefined)
      return `${quantifier.raw} reads on over places where it begins again, and what follows may fail.`;
  }
  return undefined;
}

/** A quantifier of so many is as good as one without a bound. */
const boundless = 300;

/**
 * A search tries every place. A quantifier is read again and again where a match may begin within what it reads, and where
 * it is read for nothing, because something after it may fail.
 */
function rescannedBy(alternative: AST.Alternative, flags: ReadonlyFlags): AST.Quantifier | undefined {
  const [first] = alternative.elements;
  if (first?.type === "Assertion" && first.kind === "start" && !flags.multiline) return undefined;
  return quantifiersIn(alternative).find((quantifier) => {
    const consumed = getConsumedChars(quantifier, flags).chars;
    if (!mayFailAfter(quantifier)) return false;
    if (isGuarded(alternative, consumed, flags)) return false;
    return !mustLeave(alternative.elements, { until: quantifier, consumed, flags });
  });
}

function quantifiersIn(node: AST.Node): AST.Quantifier[] {
  switch (node.type) {
    case "Quantifier": {
      const inner = quantifiersIn(node.element);
      return node.max >= boundless ? [node, ...inner] : inner;
    }
    case "Group":
    case "CapturingGroup":
      return node.alternatives.flatMap(quantifiersIn);
    case "Assertion":
      return "alternatives" in node ? node.alternatives.flatMap(quantifiersIn) : [];
    case "Alternative":
      return node.elements.flatMap(quantifiersIn);
    default:
      return [];
  }
}

/** Whether anything must still match once the quantifier has read. */
function mayFailAfter(node: AST.Node): boolean {
  const { parent } = node;
  if (parent === null || parent.type === "Pattern") return false;
  if (parent.type === "Alternative") {
    const after = parent.elements.slice(parent.elements.indexOf(node as AST.Element) + 1);
    if (after.some(mayFail)) return true;
  }
  return mayFailAfter(parent as AST.Node);
}

function mayFail(element: AST.Element): boolean {
  if (element.type === "Quantifier") return element.min > 0;
  if (element.type === "Group" || element.type === "CapturingGroup") {
    return element.alternatives.every(({ elements }) => elements.some(mayFail));
  }
  return true;
}

type Run = { until: AST.Node; consumed: CharSet; flags: ReadonlyFlags };

/** Whether a match that begins later must first read a character that the quantifier does not. */
function mustLeave(elements: readonly AST.Element[], run: Run): boolean {
  for (const element of elements) {
    if (contains(element, run.until)) {
      const inside = element.type === "Quantifier" ? element.element : element;
      if (inside.type !== "Group" && inside.type !== "CapturingGroup") return false;
      const own = inside.alternatives.find((one) => contains(one, run.until));
      return element !== run.until && own !== undefined && mustLeave(own.elements, run);
    }
    if (isOutside(element, run)) return true;
  }
  return false;
}

function isOutside(element: AST.Element, run: Run): boolean {
  switch (element.type) {
    case "Quantifier":
      return element.min > 0 && isOutside(element.element, run);
    case "Group":
    case "CapturingGroup":
      return element.alternatives.every((one) => mustLeave(one.elements, run));
    case "Assertion":
      return element.kind === "start" && !run.flags.multiline;
    default:
      return getConsumedChars(element, run.flags).chars.isDisjointWith(run.consumed);
  }
}

function contains(node: AST.Node, inner: AST.Node): boolean {
  return node.start <= inner.start && inner.end <= node.end;
}

/** Whether an assertion at the head keeps matches from beginning after a character that the quantifier reads. */
function isGuarded({ elements: [first] }: AST.Alternative, consumed: CharSet, flags: ReadonlyFlags): boolean {
  if (first?.type !== "Assertion") return false;
  if (first.kind === "start") return consumed.isDisjointWith(Chars.lineTerminator(flags));
  if (first.kind === "word") return !first.negate && consumed.isSubsetOf(Chars.word(flags));
  if (first.kind !== "lookbehind" || !first.negate) return false;
  return first.alternatives.some(
    (one) => one.elements.length === 1 && consumed.isSubsetOf(getConsumedChars(one, flags).chars),
  );
}
