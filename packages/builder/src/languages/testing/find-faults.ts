/** One text, in English and in another language, by the keys that lead to it: `canvas.refused.gone`. */
type Pair = { path: string; english: unknown; translated: unknown };

/**
 * What looks like a fault and is right. `sameText`: texts that are the same in the language, values of functions left out.
 * `samePlural`: paths of texts whose noun does not change with the number.
 */
export type Exceptions = { sameText: readonly string[]; samePlural: readonly string[] };

/** Languages whose nouns have a plural. */
const pluralised = /^(de|es|fr|pt)$/;

/** Values that programs read, not people. */
const programValue = /^form\.variables\..*\.path$|\.cron$/;

/** Words of no language: names, formats, units, code, signs. */
const universal = [
  /^(Weft|OpenAI|MCP|API|JSON|JSON Schema|CSV|curl|TypeScript|Python|SQLite|PostgreSQL|Redis|Top P|E-mail|YOUR_API_KEY)$/,
  /^(mod|Del|Tab|Esc|ms|s|min|h|d|kB|true|false)$/,
  /^(\P{L}*|.|\d+ [hd]|[a-z]+_[a-z_]+|weft-export-.*|npm run .*|const .*)$/su,
];

/** What a text keeps in every language: templates, code, addresses, names of settings and of keys in code. */
const kept =
  /\{\{.*?\}\}|`[^`]+`|https?:\/\/\S+?(?=[.,]?(?:\s|$))|\$[a-z]\w*(?:\.\w+)*|\b[A-Z]+_[A-Z_]+(?:=\w+)?|\b[a-z]+:[a-z]+\b/g;

/** Values of parameters. A function says nothing about their types, so each is tried; what English makes no sense of counts for nothing. */
const samples: readonly unknown[] = [0, 1, 2, 5, 21, "", "mark", undefined, [], ["first", "second"]];

/** For a function that takes its one parameter apart: whatever it looks for is a number. */
const sampleObjects: readonly unknown[] = [0, 1, 2].map((number) => new Proxy({}, { get: () => number }));

const senseless = /undefined|NaN|Infinity|\[object|null/;

/** One sentence for each text of a language that is missing, superfluous, untranslated or loses what English says. */
export function findFaults(language: string, english: unknown, translated: unknown, exceptions: Exceptions): string[] {
  const found: string[] = [];
  const used = new Set<string>();
  const excused = (kind: keyof Exceptions, text: string) => {
    const exception = exceptions[kind].find((known) => known.toLowerCase() === text.toLowerCase());
    if (exception !== undefined) used.add(`${kind} ${exception}`);
    return exception !== undefined;
  };
  for (const pair of toPairs({ path: "", english, translated }, found)) {
    const { path } = pair;
    found.push(...findLosses(pair).map((loss) => `${path}: ${loss}`));
    const same = untranslatedIn(pair);
    if (same !== undefined && !isUniversal(same) && !excused("sameText", same)) {
      found.push(`${path}: is the English text “${same}”`);
    }
    if (pluralised.test(language) && losesPlural(pair) && !excused("samePlural", path)) {
      found.push(`${path}: is the same for 1 and 2`);
    }
  }
  for (const kind of ["sameText", "samePlural"] as const) {
    const idle = exceptions[kind].filter((text) => !used.has(`${kind} ${text}`));
    found.push(...idle.map((text) => `${text}: stands in ${kind} without need`));
  }
  return found;
}

/** The texts and functions below an object. Keys that only one side has are added to `found`. */
function toPairs({ path, english, translated }: Pair, found: string[]): Pair[] {
  if (typeof english !== typeof translated || Array.isArray(english) !== Array.isArray(translated)) {
    found.push(`${path}: is ${typeof translated}, in English ${typeof english}`);
    return [];
  }
  if (!isObject(english) || !isObject(translated)) return [{ path, english, translated }];
  return [...new Set([...Object.keys(english), ...Object.keys(translated)])].flatMap((key) => {
    const inside = path === "" ? key : `${path}.${key}`;
    if (!(key in translated)) found.push(`${inside}: is missing`);
    else if (!(key in english)) found.push(`${inside}: is superfluous`);
    else return toPairs({ path: inside, english: english[key], translated: translated[key] }, found);
    return [];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The English words that a text still consists of. */
function untranslatedIn({ path, english, translated }: Pair): string | undefined {
  if (programValue.test(path)) return undefined;
  if (typeof english === "string") return english === translated ? english : undefined;
  const texts = callsOf({ path, english, translated })
    .map(({ given, before, after }) => ({ words: wordsOf(before, given), isSame: before === after }))
    .filter(({ words }) => !isUniversal(words));
  return texts.every(({ isSame }) => isSame) ? texts[0]?.words : undefined;
}

function wordsOf(text: string, values: readonly unknown[]): string {
  return withoutValues(text, values).replaceAll(/^\P{L}+|\P{L}+$/gu, "");
}

function isUniversal(text: string): boolean {
  return universal.some((pattern) => pattern.test(text));
}

function findLosses({ path, english, translated }: Pair): string[] {
  if (typeof english === "string") return findLostParts(path, english, String(translated));
  const losses = callsOf({ path, english, translated }).flatMap(({ given, before, after }) => {
    const shown = JSON.stringify(given);
    if (after === undefined) return [`throws for ${shown}`];
    const texts = given.flat().filter((value) => contains(before, value));
    return [
      ...(senseless.test(after) ? [`says “${after}” for ${shown}`] : []),
      ...texts.filter((text) => !contains(after, text)).map((text) => `loses ${JSON.stringify(text)} of ${shown}`),
      ...findLostParts(path, before, after),
    ];
  });
  return [...new Set(losses)].slice(0, 3);
}

function findLostParts(path: string, english: string, translated: string): string[] {
  if (programValue.test(path)) return english === translated ? [] : [`must be “${english}”`];
  if (translated.trim() === "" && english.trim() !== "") return ["is empty"];
  const parts = [...english.matchAll(kept)].map(([part]) => part);
  return parts.filter((part) => !translated.includes(part)).map((part) => `loses ${part}`);
}

function losesPlural({ english, translated }: Pair): boolean {
  if (typeof english !== "function" || typeof translated !== "function") return false;
  const forms = (of: unknown, values: readonly unknown[], at: number) =>
    [1, 2].map((number) => {
      const given = values.with(at, number);
      const text = call(of, given);
      return text === undefined || senseless.test(text) ? undefined : withoutValues(text, given);
    });
  return valuesFor(english).some((values) =>
    values.some((value, at) => {
      if (value !== 1) return false;
      const [one, two] = forms(english, values, at);
      if (one === undefined || two === undefined || one === two) return false;
      const [first, second] = forms(translated, values, at);
      return first === second;
    }),
  );
}

type Call = { given: readonly unknown[]; before: string; after: string | undefined };

/** What both sides say to the values that English makes sense of. */
function callsOf({ english, translated }: Pair): Call[] {
  if (typeof english !== "function") return [];
  return valuesFor(english).flatMap((given) => {
    const before = call(english, given);
    if (before === undefined || senseless.test(before)) return [];
    return [{ given, before, after: call(translated, given) }];
  });
}

function valuesFor(of: object): unknown[][] {
  return String(of).startsWith("({") ? sampleObjects.map((object) => [object]) : valuesOf((of as () => void).length);
}

/** Every combination of samples for up to two parameters; for more, each sample among numbers and among texts. */
function valuesOf(parameters: number): unknown[][] {
  if (parameters === 0) return [[]];
  if (parameters <= 2)
    return valuesOf(parameters - 1).flatMap((values) => samples.map((sample) => [...values, sample]));
  return [2, "mark"].flatMap((base) =>
    Array.from({ length: parameters }).flatMap((_, at) =>
      samples.map((sample) => Array.from({ length: parameters }, () => base as unknown).with(at, sample)),
    ),
  );
}

/** Undefined: the function makes no sense of these values. */
function call(of: unknown, values: readonly unknown[]): string | undefined {
  try {
    const text: unknown = (of as (...values: readonly unknown[]) => unknown)(...values);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

function contains(text: string, value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  return value !== "" && text.toLowerCase().includes(String(value));
}

function withoutValues(text: string, values: readonly unknown[]): string {
  const shown = values.flat().filter((value) => contains(text, value));
  return shown.reduce<string>(
    (rest, value) => rest.toLowerCase().replaceAll(String(value), ""),
    text.replaceAll(/\d/g, ""),
  );
}
