import { createRequire } from "node:module";
import { isSubModule, type SandboxModule } from "@weft/engine/ports/sandbox";
import {
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
  createZlibModule,
} from "../guest/node.ts";
import { createPgModule } from "../guest/pg.ts";
import { createQuerystringModule } from "../guest/querystring.ts";
import { createRequirer } from "../guest/requirer.ts";
import { createTimers } from "../guest/timers.ts";
import { createTypeormModule } from "../guest/typeorm.ts";
import { createSearchParams, createUrlModule } from "../guest/url.ts";
import { createAbortModule, createCloneModule, createEncodingModule, createFormModule } from "../guest/web.ts";
import { type PackageTextOptions, readPackageText } from "./package-text.ts";

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
  if (Object.hasOwn(modules, name)) return modules[name as SandboxModule]();
  if (Object.hasOwn(globalModules, name)) return globalModules[name]?.() ?? "";
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
  forms: () => ownText([createFormModule], "createFormModule()"),
  intl: () => ownText([createIntlModule], "createIntlModule(parts.call)"),
  webcrypto: () => ownText([], '({ crypto: require("crypto").webcrypto })'),
};

const modules: Record<SandboxModule, () => string> = {
  assert: () => ownText([createAssertModule, createDeepComparison], "createAssertModule(createDeepComparison())"),
  axios: () => {
    const parts = [createInterceptors, mergeAxiosConfig, toAxiosRequest, toAxiosBody, toAxiosUrl, toAxiosQuery];
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
