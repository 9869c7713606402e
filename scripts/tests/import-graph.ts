import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { type Doors, readDoors } from "../house/doors.ts";

/** Who imports which files of the repository. */
export type ImportGraph = {
  /** The files that import a file directly; a name that passes through doors counts for the file that it comes from. */
  importersOf(path: string): ReadonlySet<string>;
  /** Names of the exports whose declarations reach into one of the lines. */
  namesAt(path: string, lines: ReadonlySet<number>): string[];
};

type Import = { from: string; name: string; isReExport: boolean };
type Source = { imports: Import[]; exported: Map<string, number>; text: string };

const patterns = ["{packages/*,apps/*,imports}/src/**/*.{ts,tsx}", "{scripts,proof}/**/*.{ts,mjs}"];
const mostDoors = 6;

export function readImportGraph(root: string): ImportGraph {
  const doors = readDoors(root);
  const sources = new Map<string, Source>();
  for (const path of globSync(patterns, { cwd: root }).map((each) => each.replaceAll("\\", "/"))) {
    sources.set(path, readSource(path, readFileSync(join(root, path), "utf8"), doors));
  }
  const importers = new Map<string, Set<string>>();
  for (const [path, { imports }] of sources) {
    for (const { from, name, isReExport } of imports) {
      if (isReExport) continue;
      const origin = findOrigin(sources, from, name);
      importers.set(origin, (importers.get(origin) ?? new Set()).add(path));
    }
  }
  return {
    importersOf: (path) => importers.get(path) ?? new Set(),
    namesAt: (path, lines) => namesAt(sources.get(path), lines),
  };
}

function readSource(path: string, text: string, doors: Doors): Source {
  const { module } = parseSync(path, text);
  const toPath = (specifier: string) =>
    specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : doors(specifier);
  const toImports = (specifier: string, name: string | null, isReExport: boolean): Import[] => {
    const from = toPath(specifier);
    return from === undefined ? [] : [{ from, name: name ?? "*", isReExport }];
  };
  const exports = module.staticExports.flatMap(({ entries }) => entries);
  const dynamic = text.matchAll(/\b(?:import|new URL)\(\s*"(\.[^"]+|@weft\/[^"]+)"/g);
  return {
    text,
    exported: new Map(
      exports.flatMap(({ moduleRequest, exportName: { name }, start }) =>
        moduleRequest === null && name !== null ? [[name, start] as const] : [],
      ),
    ),
    imports: [
      ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.length === 0
          ? toImports(moduleRequest.value, null, false)
          : entries.flatMap(({ importName }) => toImports(moduleRequest.value, importName.name, false)),
      ),
      ...[...dynamic].flatMap(([, specifier = ""]) => toImports(specifier, null, false)),
      ...exports.flatMap(({ moduleRequest, importName }) =>
        moduleRequest === null ? [] : toImports(moduleRequest.value, importName.name, true),
      ),
    ],
  };
}

/** The file that declares a name, behind any doors; the one that was asked where none is found. */
function findOrigin(sources: ReadonlyMap<string, Source>, path: string, name: string): string {
  return findDeclaring(sources, path, name, mostDoors) ?? path;
}

function findDeclaring(
  sources: ReadonlyMap<string, Source>,
  path: string,
  name: string,
  doors: number,
): string | undefined {
  const source = sources.get(path);
  if (source?.exported.has(name)) return path;
  if (source === undefined || doors === 0) return undefined;
  for (const passed of source.imports) {
    if (!passed.isReExport || (passed.name !== name && passed.name !== "*")) continue;
    const found = findDeclaring(sources, passed.from, name, doors - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A declaration reaches from its line to that of the next one. */
function namesAt(source: Source | undefined, lines: ReadonlySet<number>): string[] {
  if (source === undefined) return [];
  const begins = [...source.exported].sort(([, a], [, b]) => a - b);
  return begins.flatMap(([name, start], index) => {
    const [first, next] = [lineOf(source.text, start), lineOf(source.text, begins[index + 1]?.[1] ?? Infinity)];
    return [...lines].some((line) => line >= first && line < next) ? [name] : [];
  });
}

function lineOf(text: string, position: number): number {
  return position === Infinity ? Infinity : text.slice(0, position).split("\n").length;
}
