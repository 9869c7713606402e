import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import type { Doors } from "./doors.ts";

/** What the yardstick knows of a file. */
export type ParsedSource = {
  path: string;
  lines: number;
  /** Names of exported functions, classes and constants. */
  values: string[];
  /** Exported values, those of other files included. */
  offered: number;
  imports: Import[];
  /** Lines of each function. */
  functions: number[];
  picks: number;
  /** Assertions of a type, `as const` aside. */
  casts: number;
  /** Types whose name ends in `Deps`. */
  deps: number;
};

/** A name that comes from a file of the workspace; `*` for all of its names. */
export type Import = { from: string; name: string; isReExport: boolean };

export function parseSource(path: string, text: string, doors: Doors): ParsedSource {
  const { program, module } = parseSync(path, text);
  const exports = module.staticExports.flatMap(({ entries }) => entries);
  const starts = lineStarts(text);
  const functions: number[] = [];
  const toImport = ({ value }: { value: string }, { name }: { name: string | null }, isReExport: boolean): Import[] => {
    const from = value.startsWith(".") ? posix.join(posix.dirname(path), value) : doors(value);
    return from === undefined ? [] : [{ from, name: name ?? "*", isReExport }];
  };
  let casts = 0;
  visit(program, ({ type, start, end, body }) => {
    if (type === "TSAsExpression" && !text.slice(start, end).endsWith("as const")) casts += 1;
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
    if (isFunction && body?.type === "BlockStatement") {
      functions.push(lineAt(starts, end) - lineAt(starts, start) + 1);
    }
  });
  return {
    path,
    lines: starts.length,
    values: exports.flatMap(({ moduleRequest, isType, exportName: { name } }) =>
      moduleRequest === null && !isType && name !== null ? [name] : [],
    ),
    offered: exports.filter(({ isType }) => !isType).length,
    imports: [
      ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.flatMap(({ importName }) => toImport(moduleRequest, importName, false)),
      ),
      ...exports.flatMap(({ moduleRequest, importName }) =>
        moduleRequest === null ? [] : toImport(moduleRequest, importName, true),
      ),
    ],
    functions,
    picks: text.match(/\bPick</g)?.length ?? 0,
    casts,
    deps: text.match(/^(export )?type \w*Deps\b/gm)?.length ?? 0,
  };
}

type SyntaxNode = { type: string; start: number; end: number; body?: { type: string } | null };

function visit(node: unknown, see: (node: SyntaxNode) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see);
    return;
  }
  if ("type" in node && "start" in node) see(node as SyntaxNode);
  for (const child of Object.values(node)) visit(child, see);
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(starts: readonly number[], position: number): number {
  const after = starts.findIndex((start) => start > position);
  return after < 0 ? starts.length : after;
}
