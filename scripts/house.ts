// Measures the structure of the core: `./weft house`. Tests, generated files, texts and imports/ do not count.
// `./weft house NAME`: the same of a package's parts, then its files that serve one neighbour, and its exports with one user.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { readDoors } from "./house/doors.ts";
import { type ParsedSource, parseSource } from "./house/parse-source.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const paths = globSync("packages/*/src/**/*.{ts,tsx}", {
  cwd: root,
  exclude: (name) => name === "node_modules",
})
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !/\.test\.tsx?$|\/testing\/|\.gen\.|\.d\.ts$/.test(path));
const packageDoors = readDoors(root);
const sources = new Map(
  paths.map((path) => [path, parseSource(path, readFileSync(`${root}/${path}`, "utf8"), packageDoors)]),
);

const exported = [...sources.values()].flatMap(({ path, values }) => values.map((name) => `${path}#${name}`));
const users = countUsers();
const importers = countImporters();
const doors = [...sources.values()].filter(({ path }) => path.endsWith("/index.ts"));
const lengths = [...sources.values()].flatMap(({ functions }) => functions).toSorted((a, b) => a - b);
const server = [...sources.values()].filter(({ path }) => path.startsWith("packages/server/"));
const edges = folderEdges(server);

const all = [...sources.values()];
print("source files", sources.size, "1,250");
print("lines", sum(all.map(({ lines }) => lines)), "138,000");
print("types called …Deps", sum(all.map(({ deps }) => deps)), "90");
print("`Pick<`", sum(all.map(({ picks }) => picks)), "250");
print("casts", sum(all.map(({ casts }) => casts)), "420");
print("edges between packages", packageEdges().size, "95");
print(
  "value exports with one user",
  share(exported.filter((name) => users.get(name)?.size === 1).length, exported.length),
  "45 %",
);
print(
  "files used by one neighbour alone",
  share([...sources.keys()].filter(hasOneNeighbour).length, sources.size),
  "18 %",
);
print(
  "values behind a door, p90",
  quantile(
    doors.map(({ offered }) => offered).toSorted((a, b) => a - b),
    0.9,
  ),
  "12",
);
print("folder edges inside the server", edges.size, "45");
print("folders of the server that need each other", [...edges].filter(isMutual).length / 2, "0");
print("lines of the server", sum(server.map(({ lines }) => lines)), "14,000");
print("lines of functions, p50", quantile(lengths, 0.5), "7");
print("lines of functions, p90", quantile(lengths, 0.9), "23");
print("lines of functions, longest", lengths.at(-1) ?? 0, "80");
print();
printPackages();
const asked = process.argv[2];
if (asked !== undefined) printPackage(asked);

/** The packages, the largest first. */
function printPackages(): void {
  const packages = Map.groupBy(all, ({ path }) => packageOf(path));
  const rows = [...packages].map(([name, files]) => ({
    name,
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    deps: sum(files.map(({ deps }) => deps)),
    picks: sum(files.map(({ picks }) => picks)),
    casts: sum(files.map(({ casts }) => casts)),
    exports: sum(files.map(({ values }) => values.length)),
    oneUser: files.flatMap(withOneUser).length,
    alone: files.filter(({ path }) => hasOneNeighbour(path)).length,
  }));
  const names = ["package", "files", "lines", "Deps", "Pick<", "casts", "exports", "one user", "alone"];
  const sorted = rows.toSorted((a, b) => b.lines - a.lines).map((row) => Object.values(row).map(String));
  for (const cells of [names, ...sorted]) {
    const line = cells.map((cell, column) => (column === 0 ? cell.padEnd(18) : cell.padStart(9)));
    process.stdout.write(`${line.join("")}\n`);
  }
}

function printPackage(name: string): void {
  const files = all.filter(({ path }) => packageOf(path) === name);
  if (files.length === 0) throw new Error(`No package is called ${name}.`);
  print(`\nfiles of ${name} that serve one neighbour`);
  for (const { path, lines } of files.filter(({ path }) => hasOneNeighbour(path))) {
    print(`${path} ← ${[...(importers.get(path) ?? [])].map((user) => posix.basename(user))}`, lines);
  }
  print(`\nexports of ${name} with one user`);
  for (const value of files.flatMap(withOneUser)) print(`${value} ← ${[...(users.get(value) ?? [])]}`);
}

function withOneUser({ path, values }: ParsedSource): string[] {
  return values.map((name) => `${path}#${name}`).filter((name) => users.get(name)?.size === 1);
}

/** Files that import each exported value, through doors. */
function countUsers(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, imports } of sources.values()) {
    for (const { from, name, isReExport } of imports) {
      if (isReExport) continue;
      const origin = originOf(from, name);
      found.set(origin, (found.get(origin) ?? new Set()).add(path));
    }
  }
  return found;
}

function originOf(path: string, name: string, depth = 0): string {
  const source = sources.get(path);
  const passed = source?.imports.find((entry) => entry.isReExport && (entry.name === name || entry.name === "*"));
  if (source?.values.includes(name) || passed === undefined || depth > 5) return `${path}#${name}`;
  return originOf(passed.from, name, depth + 1);
}

function countImporters(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, imports } of sources.values()) {
    for (const { from, name, isReExport } of imports) {
      if (isReExport) continue;
      const origin = originOf(from, name).split("#")[0] ?? "";
      found.set(origin, (found.get(origin) ?? new Set()).add(path));
    }
  }
  return found;
}

function hasOneNeighbour(path: string): boolean {
  const [first, ...others] = importers.get(path) ?? [];
  return first !== undefined && others.length === 0 && posix.dirname(first) === posix.dirname(path);
}

/** `a>b` where a file of the folder `a` imports one of `b`; the folders lie directly in the sources. */
function folderEdges(parts: readonly ParsedSource[]): Set<string> {
  const folderOf = (path: string) => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
  const found = new Set<string>();
  for (const { path, imports } of parts) {
    for (const { from } of imports) {
      const [a, b] = [folderOf(path), folderOf(from)];
      if (a !== undefined && b !== undefined && a !== b) found.add(`${a}>${b}`);
    }
  }
  return found;
}

/** `a>b` where a file of the package `a` imports one of `b`. */
function packageEdges(): Set<string> {
  const found = all.flatMap(({ path, imports }) =>
    imports.map(({ from }) => [packageOf(path), packageOf(from)] as const),
  );
  return new Set(found.filter(([a, b]) => a !== b).map(([a, b]) => `${a}>${b}`));
}

function packageOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function isMutual(edge: string): boolean {
  return edges.has(edge.split(">").reverse().join(">"));
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}

function print(name = "", figure: number | string = "", aim = ""): void {
  const shown = typeof figure === "number" ? figure.toLocaleString("en") : figure;
  process.stdout.write(`${name.padEnd(46)}${shown.padStart(9)}${aim && `   aim ${aim}`}\n`);
}
