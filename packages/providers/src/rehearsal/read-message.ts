import { type Json, type JsonSchema, toJsonObject } from "@weft/schema";

const verbs = {
  delete: /^(delete|remove|cancel|erase|drop|destroy|discard|scrap|trash|wipe)$/,
  update: /^(update|change|edit|modify|rename|move|reschedule|postpone|patch|set|adjust|relocate|shift|alter|revise)$/,
  create: /^(create|add|new|make|schedule|book|organi[sz]e|plan|register|insert|post|arrange)$/,
  read: /^(list|show|get|fetch|display|see|view|find|retrieve|look|read|give|tell|what|which|search|check|query|lookup)$/,
};
type Action = keyof typeof verbs;

/** Words of three letters or more that name nothing, singular; shorter ones never do. */
const fillers = {
  anywhere: /^(and|are|can|[cw]ould|for|from|have|into|its|our|please|th(at|e|eir|em|ere|is?)|want|with|your?)$/,
  inDescriptions: /^(all|api|call|detail|entry|http|item|one|record|request|return|use)$/,
};

/** Lower-case words of a text or an identifier (`createEvent`, `get_events`), singular. */
export function toWords(text: string): string[] {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (spaced.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.replace(/(?<=..[^s])s$/, ""));
}

/** The kind of the first word that has one. */
export function findKind<K extends string>(words: readonly string[], kinds: Record<K, RegExp>): K | undefined {
  for (const word of words) for (const kind in kinds) if (kinds[kind].test(word)) return kind;
  return undefined;
}

/** The action of the first verb of a text. Quoted text is ignored: an event may be called "Update". */
export function findAction(text: string): Action | undefined {
  const plain = text.replaceAll(/"[^"]*"|(?<!\p{L})'[^']*'/gu, " ").replace(/\bget rid of\b/i, "delete");
  return findKind(toWords(plain.replace(/\bset up\b|\bput an?\b/i, "create")), verbs);
}

/** Words that name things: neither verbs nor fillers. */
export function findNouns(text: string): string[] {
  return toWords(text).filter((word) => word.length > 2 && !findKind([word], { ...verbs, ...fillers }));
}

/** The rehearsal model's label in the start log, the builder and before each of its answers. */
export const rehearsalLabel = "rehearsal model: rules, not an AI";

/** Facts about the last message. `id`: of the record that it is about. */
export type Asked = ReturnType<typeof readMessage> & { id: string | undefined };
type Found = { value: string; rest: string } | undefined;

const quoted = `(?<![\\p{L}\\d])(?!.\\d{4}-\\d\\d)(?:"([^"]+)"|“([^”]+)”|'(.+?)'(?!\\p{L}))`;
const particle = "(?:on|at|in|for|from|with|and|to|that|which|location|date|called|named)\\b";
const stop = `(?=\\s+${particle}|\\s*[,;!?]|\\.(?:\\s|$)|\\s*$)`;
const ofThing = "(?:\\s+(?:of|for)(?:\\s+[\\p{L}\\d#-]+){1,5}?(?=\\s+(?:is|to|as|becomes?|should|will)\\b))?";
const said = `${ofThing}(?:\\s+(?:is|to|as|of|in|at|becomes?|should be|will be))*\\s*[:=]?\\s*`;
const naming = `\\b(?:called|named|titled|entitled|name|title|subject|rename[^,;"]*? to)${said}`;
const placing = `\\b(?:location|place|venue|city|address|where|town)${said}`;
const near = "\\b(?:in|at|to) (?!\\S+ (?:calendar|list|schedule|system)\\b)(?=[\\p{Lu}\\d]|(?:the|an?|my|our) )";
const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const day = "\\d{1,2}(?:st|nd|rd|th)?(?![\\d:])";
const dates = [
  /["']?\b(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?<zone>Z|[+-]\d\d:\d\d)?)?["']?/,
  // linear: it begins at the start of a word
  new RegExp(`\\b(?<named>${month} ${day}|${day} (?:of )?${month})(?:,? (?<year>\\d{4}))?`, "i"),
  /\b(?:today|tonight|(?<tomorrow>tomorrow)|in (?<days>\d+) days?)\b/i,
];
const clock = /(?:\bat\s+)?\b(?:(\d{1,2})(?::(\d{2}))?\s*(?:([ap])\.?m\b\.?|(?<=:\d\d))|(noon)|midnight)/i;
/** The numeric types of a schema. */
export const numeric = /integer|number/;

/** Reads the action and the values of a message. `things`: patterns of what tools are about; `today`: an ISO date. */
export function readMessage(text: string, things: readonly string[], today: string | undefined) {
  const action = findAction(text) ?? "read";
  const before = ["an?", "another", "new", ...things].join("|");
  const unmarked = `\\b(?:${before}):? (?!(?:${before})\\b|${particle})(\\p{L}.*?)${stop}`;
  // Each removes its match from the text: quoted parts first, the weakest marker last.
  const finders: ["name" | "place" | "date", (rest: string) => Found][] = [
    ["place", (rest) => take(rest, `(?:${placing}|\\b(?:in|at) )${quoted}`)],
    ["name", (rest) => take(rest, `(?:${naming})?${quoted}`)],
    ["date", (rest) => findDate(rest, today)],
    ["name", (rest) => take(rest, `${naming}(\\p{L}.*?)${stop}`)],
    ["name", (rest) => (action === "create" ? take(rest, unmarked) : undefined)],
    ["place", (rest) => take(rest, `${placing}([\\p{L}\\d].*?)${stop}`)],
    ["place", (rest) => take(rest, `${near}(.+?)${stop}`, "u")],
  ];
  const found: { name?: string; place?: string; date?: string } = {};
  let rest = text.replaceAll(/"(\w+)"\s*:/g, "$1: ");
  for (const [kind, find] of finders) {
    const next = found[kind] === undefined ? find(rest) : undefined;
    if (next !== undefined) [found[kind], rest] = [next.value, next.rest];
  }
  return { ...found, text, query: text, action };
}

function findDate(text: string, today = "none"): Found {
  const match = dates.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  const { date, time, zone = "Z", named, year = today.slice(0, 4), tomorrow, days } = match?.groups ?? {};
  const rest = text.replace(match?.[0] ?? "", " ");
  const [said = "", hour = 0, minute = 0, half = "", noon = ""] = (time === undefined && clock.exec(rest)) || [];
  const hours = (Number(hour) % (half ? 12 : 24)) + (/p|noon/i.test(half + noon) ? 12 : 0);
  const start = Date.parse(named ? `${named.replace(/(?<=\d)[a-z]+|of/gi, "")} ${year} UTC` : (date ?? today));
  const later = ((Number(days ?? (tomorrow && 1) ?? 0) * 24 + hours) * 60 + Number(minute)) * 60_000;
  const at = time === undefined ? start + later : Date.parse(`${date}T${time}${zone}`);
  if (match === undefined || Number.isNaN(at)) return undefined;
  return { value: `${new Date(at).toISOString().slice(0, 19)}Z`, rest: rest.replace(said, " ") };
}

function take(text: string, pattern: string, flags = "iu"): Found {
  // linear: messages are cut before they are read
  const [whole = "", ...groups] = new RegExp(pattern, flags).exec(text) ?? [];
  const value = groups.find((group) => group !== undefined);
  return value === undefined ? undefined : { value, rest: text.replace(whole, ", ") };
}

/** A choice mentioned in the text, a number beside the parameter's name, or the text after the name. */
export function findOther(name: string, schema: JsonSchema, text: string): Json | undefined {
  const mentions = (choice: Json) => ` ${toWords(text).join(" ")} `.includes(` ${toWords(String(choice)).join(" ")} `);
  if (Array.isArray(schema.enum)) return schema.enum.find(mentions);
  const label = toWords(name).join("[ _-]?");
  if (schema.type === "string") return take(text, `\\b${label}${said}["']?(\\p{L}.*?)["']?${stop}`)?.value;
  if (!numeric.test(String(schema.type))) return undefined;
  return take(text, `\\b(?:${label}${said}|(?:first|top|last) )(-?\\d+(?:\\.\\d+)?)\\b`)?.value;
}

/** A value of a schema for a JSON answer: choices and numbers from the text, its words with a label. */
export function fillSchema(schema: JsonSchema, given: { text: string; label: string }): Json {
  if (Array.isArray(schema.enum)) return findOther("", schema, given.text) ?? schema.enum[0] ?? null;
  if (numeric.test(String(schema.type))) return Number(/-?\d+/.exec(given.text)?.[0] ?? 0);
  if (schema.type === "boolean" || schema.type === "array") return schema.type === "array" ? [] : false;
  if (schema.type !== "object") return `${given.label} ${given.text}`;
  const fields = Object.entries(toJsonObject(schema.properties));
  return Object.fromEntries(fields.map(([name, field]) => [name, fillSchema(toJsonObject(field), given)]));
}
