import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of a server, whose pages are built. */
export type RuntimePackage = { name: string; version: string; licence: string };

/** Licences that a runtime package may have. Others are a decision of the maintainers. */
const allowed = new Set(["MIT", "MIT-0", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"]);

type Dependencies = Record<string, string>;

type LockEntry = {
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Dependencies;
  optionalDependencies?: Dependencies;
  peerDependencies?: Dependencies;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** Workspaces of which a server needs what they are built into, and no package. */
const pages = new Set(["packages/builder", "packages/widget"]);

/** The workspaces whose packages a server needs, as the container image installs them; all others come through these. */
export const served = ["packages/server", "packages/workbench", "apps/event-api"];

/**
 * What `package-lock.json` installs to run, without what the pages are built with. A licence is what the installed package
 * says, where it is installed here.
 */
export function listRuntimePackages(root: string): RuntimePackage[] {
  const lock = new Map(readLock(root));
  const starts = [...lock.keys()].filter((path) => !path.includes("node_modules/") && !pages.has(path));
  const found = new Map<string, RuntimePackage>();
  for (const path of collect(lock, starts)) {
    const { version = "", license = "", link } = lock.get(path) ?? {};
    const name = nameOf(path);
    if (!path.includes("node_modules/") || link) continue;
    found.set(`${name}@${version}`, { name, version, licence: licenceOf(join(root, path)) ?? license });
  }
  return [...found.values()].toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** The places in a lockfile that are reached from some of them, without development dependencies. */
function collect(lock: ReadonlyMap<string, LockEntry>, starts: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...starts];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const entry = lock.get(path);
    if (entry === undefined || reached.has(path)) continue;
    reached.add(path);
    if (entry.link && entry.resolved !== undefined) queue.push(entry.resolved);
    const placeOf = (name: string) => placesOf(path, name).find((place) => lock.has(place)) ?? [];
    queue.push(...namesNeededBy(entry).flatMap(placeOf));
  }
  return reached;
}

function namesNeededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }: LockEntry) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node looks for a package, the nearest first. */
function placesOf(from: string, name: string): string[] {
  const parts = from.split("/");
  const folders = parts.map((_part, index) => parts.slice(0, parts.length - index).join("/"));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

/** What `scripts/embedder/install.mjs` installs beside the others, and keeps. */
export function listRuntimePackagesOfModels(root: string): RuntimePackage[] {
  return listRuntimePackages(join(root, "optional", "embedder")).filter(({ name }) => name.startsWith("onnxruntime-"));
}

/** Packages, of development too, that npm runs a program of when it installs them, unless it is told not to. */
export function listInstallScripts(root: string): string[] {
  return readLock(root).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [nameOf(path)] : []));
}

/** Whether a licence, or one of those to choose from, is allowed. */
export function isAllowed(licence: string): boolean {
  return licence
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => allowed.has(part)));
}

export function toLicenceTable(root: string): string {
  return `# Runtime packages and their licences

Made by \`./weft licences\` from \`package-lock.json\` and the installed packages; a test compares it and refuses licences that are not on the list in \`scripts/runtime/runtime-packages.ts\`. No package runs a program of its own when it is installed: see [0061](decisions/0061-what-is-installed-to-run.md).

${toTable(listRuntimePackages(root))}

## The native runtime of models

The first start installs it apart from the others, where there is one for the machine: [0131](decisions/0131-native-embedder.md). Its binary holds parts with licences of their own: https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt

${toTable(listRuntimePackagesOfModels(root))}

## Icons

The builder draws icons of Lucide, in \`packages/builder/src/icons/icons.gen.ts\`. They come from \`lucide-react\` (ISC, Copyright (c) 2026 Lucide Icons and Contributors, and MIT, Copyright (c) 2013-present Cole Bemis, for those from Feather; the licences are in that file), made by \`./weft icons\`.

## Marks of vendors

The builder draws the marks of vendors beside their names, in \`packages/builder/public/vendor-marks.svg\`. They come from \`@lobehub/icons-static-svg\` (MIT, Copyright (c) 2023 LobeHub; the licence is in that file), made by \`./weft marks\`. The marks are trademarks of their owners. They say which products Weft works with; no owner endorses Weft or is affiliated with it.

## CMaps of PDF files

\`packages/documents/src/pdf/cmaps/cmaps.br\` holds the CMaps of Adobe (BSD-3-Clause, Copyright 1990-2009 Adobe Systems Incorporated; the licence is beside it) as \`pdfjs-dist\` (Apache-2.0) ships them, made by \`./weft cmaps\`: [0150](decisions/0150-cmaps-of-pdf-files.md).
`;
}

function toTable(packages: readonly RuntimePackage[]): string {
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return ["| package | version | licence |", "|---|---|---|", ...rows].join("\n");
}

function readLock(root: string): [path: string, entry: LockEntry][] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages as Record<string, LockEntry>);
}

function nameOf(path: string): string {
  return path.split("node_modules/").at(-1) ?? "";
}

function licenceOf(folder: string): string | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  const { license } = JSON.parse(readFileSync(path, "utf8")) as { license?: unknown };
  return typeof license === "string" ? license : undefined;
}
