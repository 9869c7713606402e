import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** `isAlone`: only this file; it calls `require` for all others. */
export type PackageTextOptions = { isAlone?: boolean };

/**
 * The files of a CommonJS package and its dependencies, in one text: a function of `module`, `exports` and `require`. A
 * package that is present twice in one version counts once. A file without a match is requested from `require`, a
 * relative path under the package's name: `moment/locale/de`. `entry` is the path of a file.
 */
export function readPackageText(entry: string, { isAlone = false }: PackageTextOptions = {}): string {
  const indexes = new Map<string, number>();
  const parts: string[] = [];

  const add = (path: string): number => {
    const identity = identityOf(path);
    const known = indexes.get(identity);
    if (known !== undefined) return known;
    const index = indexes.size;
    indexes.set(identity, index);
    const text = readFileSync(path, "utf8").replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "");
    const needed = new Map<string, number>();
    const resolver = createRequire(path);
    for (const [, name = ""] of text.matchAll(/\brequire\(["']([^"']+)["']\)/g)) {
      const target = isAlone ? undefined : resolve(resolver, name);
      if (target !== undefined) needed.set(name, add(target));
    }
    const map = JSON.stringify(Object.fromEntries(needed));
    parts[index] = `[function(module,exports,require){${text}\n},${map},${JSON.stringify(packageOf(path))}]`;
    return index;
  };
  add(entry);
  return `(function(module,exports,require){"use strict";module.exports=(${linkFiles})([${parts.join(",\n")}],require)})`;
}

type File = [
  run: (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void,
  indexes: Record<string, number>,
  packageName: string,
];

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
function linkFiles(files: File[], outer: (name: string) => unknown): unknown {
  const modules: ({ exports: unknown } | undefined)[] = [];
  const get = (index: number): unknown => {
    const known = modules[index];
    if (known !== undefined) return known.exports;
    const module = { exports: {} as unknown };
    modules[index] = module;
    const [run, indexes, packageName] = files[index] as File;
    const find = (name: string) => {
      const needed = indexes[name];
      return needed === undefined ? outer(name.replace(/^\.{1,2}/, packageName)) : get(needed);
    };
    run.call(module.exports, module, module.exports, find);
    return module.exports;
  };
  return get(0);
}

/** Undefined for Node's own modules, and missing ones. */
function resolve(resolver: NodeJS.Require, name: string): string | undefined {
  try {
    const path = resolver.resolve(name);
    return path === name ? undefined : path;
  } catch {
    return undefined;
  }
}

const packagesFolder = "/node_modules/";

function packageOf(path: string): string {
  const inside = path.slice(path.lastIndexOf(packagesFolder) + packagesFolder.length);
  return inside
    .split("/")
    .slice(0, inside.startsWith("@") ? 2 : 1)
    .join("/");
}

function identityOf(path: string): string {
  const at = path.lastIndexOf(packagesFolder) + packagesFolder.length;
  const manifest = readFileSync(`${path.slice(0, at)}${packageOf(path)}/package.json`, "utf8");
  return `${(JSON.parse(manifest) as { version: string }).version} ${path.slice(at)}`;
}
