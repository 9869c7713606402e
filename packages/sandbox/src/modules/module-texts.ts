import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isSubModule, type SandboxModule } from "@weft/engine/ports/sandbox";
import {
  createAxiosError,
  createAxiosModule,
  createInterceptors,
  mergeAxiosConfig,
  readAxiosBody,
  toAxiosBody,
  toAxiosQuery,
  toAxiosRequest,
  toAxiosUrl,
} from "../guest/axios.ts";
import { createCryptoModule } from "../guest/crypto.ts";
import {
  createDatabaseQuery,
  giveToCallback,
  limitMembers,
  toDatabaseValue,
  toPostgresList,
} from "../guest/databases.ts";
import { createIntlModule, installLocaleMethods } from "../guest/intl.ts";
import { createMysqlModule } from "../guest/mysql2.ts";
import {
  createAssertModule,
  createDeepComparison,
  createEventsModule,
  createPathModule,
  createQuerystringModule,
  createZlibModule,
} from "../guest/node.ts";
import { createPgModule } from "../guest/pg.ts";
import { createRequirer } from "../guest/requirer.ts";
import { createTimers } from "../guest/timers.ts";
import { createTypeormModule } from "../guest/typeorm.ts";
import { createSearchParams, createUrlModule } from "../guest/url.ts";
import {
  createAbortModule,
  createCloneModule,
  createEncodingModule,
  createFormModule,
  createPairList,
} from "../guest/web.ts";

/**
 * Finds the text of a module by the name that code requires (see `ModuleParts`); empty if the sandbox lacks it. Each is
 * read once, on first use.
 */
export function createModuleTexts(): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const known = texts.get(name);
    if (known !== undefined) return known;
    const text = readText(name);
    if (text !== "") texts.set(name, text);
    return text;
  };
}

function readText(name: string): string {
  const ownModule = ownModules.get(name);
  if (ownModule !== undefined) return ownModule();
  if (!isSubModule(name)) return "";
  const [packageName = "", part] = name.split("/");
  if (part === packageName) return ownText([], `require(${JSON.stringify(packageName)})`);
  if (packageName === "lodash") return ownText([], `require("lodash")[${JSON.stringify(part)}]`);
  return packageText(name, { isAlone: true });
}

/** Implementations behind global names and methods of the language. Those of the guest are functions, not modules. */
const globalModules: Readonly<Record<string, () => string>> = {
  "guest:locale-methods": () => String(installLocaleMethods),
  "guest:requirer": () => String(createRequirer),
  "guest:timers": () => String(createTimers),
  abort: () => ownText([createAbortModule], "createAbortModule(parts.setTimeout)"),
  clone: () => ownText([createCloneModule], "createCloneModule()"),
  encoding: () => ownText([createEncodingModule], "createEncodingModule(require)"),
  forms: () => ownText([createFormModule, createPairList], "createFormModule()"),
  intl: () => ownText([createIntlModule], "createIntlModule(parts.call)"),
  webcrypto: () => ownText([], '({ crypto: require("crypto").webcrypto })'),
};

const modules: Record<SandboxModule, () => string> = {
  assert: () => ownText([createAssertModule, createDeepComparison], "createAssertModule(createDeepComparison())"),
  axios: () => {
    const parts = [
      createAxiosError,
      createInterceptors,
      mergeAxiosConfig,
      toAxiosRequest,
      toAxiosBody,
      toAxiosUrl,
      toAxiosQuery,
    ];
    return ownText([createAxiosModule, readAxiosBody, ...parts], "createAxiosModule(parts.fetch, require)");
  },
  buffer: () => {
    const text = packageText("buffer/index.js");
    return ownText([addBase64], `((${text})(module,exports,require),addBase64(module.exports))`);
  },
  cheerio: () => packageText("cheerio"),
  crypto: () => ownText([createCryptoModule], "createCryptoModule(parts.call, require)"),
  dayjs: () => packageText("dayjs/dayjs.min.js"),
  events: () => ownText([createEventsModule], "createEventsModule()"),
  lodash: () => packageText("lodash/lodash.min.js"),
  moment: () => packageText("moment/min/moment.min.js"),
  mysql2: () => databaseText(createMysqlModule, 'createMysqlModule(parts.ask, "callbacks")'),
  "mysql2/promise": () => databaseText(createMysqlModule, 'createMysqlModule(parts.ask, "promises")'),
  "node-fetch": () => ownText([], "Object.assign((...call) => parts.fetch(...call), { default: parts.fetch })"),
  path: () => ownText([createPathModule], "createPathModule(parts.call)"),
  pg: () => databaseText(createPgModule, "createPgModule(parts.ask)"),
  querystring: () => ownText([createQuerystringModule], "createQuerystringModule(parts.call)"),
  typeorm: () => databaseText(createTypeormModule, "createTypeormModule(parts.ask)"),
  url: () => ownText([createUrlModule, createSearchParams], "createUrlModule(parts.call)"),
  zlib: () => ownText([createZlibModule], "createZlibModule(parts.call, require)"),
};

const ownModules = new Map(Object.entries({ ...globalModules, ...modules }));

type BufferModule = { Buffer: { from(text: string, encoding: string): { toString(encoding: string): string } } };

/** Runs inside QuickJS: the functions that Node offers beside `Buffer`, also as globals. */
function addBase64(module: BufferModule): BufferModule {
  const { Buffer } = module;
  return Object.assign(module, {
    atob: (text: unknown) => Buffer.from(String(text), "base64").toString("latin1"),
    btoa: (text: unknown) => Buffer.from(String(text), "latin1").toString("base64"),
  });
}

function databaseText(createModule: (...given: never[]) => unknown, exported: string): string {
  const parts = [createDatabaseQuery, toDatabaseValue, toPostgresList, limitMembers, giveToCallback];
  return ownText([createModule, ...parts], exported);
}

function ownText(functions: readonly ((...given: never[]) => unknown)[], exported: string): string {
  return `(function(module,exports,require,parts){"use strict";${functions.join("\n")}\nmodule.exports=${exported}})`;
}

const installed = createRequire(import.meta.url);

/** Empty if it is not installed: a language or a plugin that does not exist. */
function packageText(path: string, options?: PackageTextOptions): string {
  let entry: string;
  try {
    entry = installed.resolve(path);
  } catch {
    return "";
  }
  return readPackageText(entry, options);
}

/** `isAlone`: only this file; it calls `require` for all others. */
type PackageTextOptions = { isAlone?: boolean };

/**
 * The files of a CommonJS package and its dependencies, in one text: a function of `module`, `exports` and `require`. A
 * package that is present twice in one version counts once. A file without a match is requested from `require`, a
 * relative path under the package's name: `moment/locale/de`. `entry` is the path of a file.
 */
function readPackageText(entry: string, { isAlone = false }: PackageTextOptions = {}): string {
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
    const module: { exports: unknown } = { exports: {} };
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
  const { version }: { version: string } = JSON.parse(manifest);
  return `${version} ${path.slice(at)}`;
}
