import { isDeeperThan, type Json, maxJsonDepth, parseJson } from "@weft/schema";

/**
 * Parses JSON as people type it into a form (JSON5, json5.org): comments, trailing commas, single quotes, names without
 * quotes. A `{{ reference }}` outside quotes becomes a text that is nothing but the reference, which keeps the type of
 * its value. Undefined for text that is neither, or is nested too deeply to work on.
 */
export function parseLenientJson(text: string): Json | undefined {
  const value = parseJson(text) ?? parseLoose(text);
  return isDeeperThan(value, maxJsonDepth) ? undefined : value;
}

/** Space and comments before a token. Nothing after them makes them be read again. */
const space = /(?:\s|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/y;
/** Everything that a token can be. */
const token = /(\{\{[^{}]*\}\}|[{}[\]:,]|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[^\s{}[\]:,"']+|$)/y;

type Tokens = { current: string; next(): string };

class Malformed extends Error {}

function parseLoose(text: string): Json | undefined {
  try {
    const tokens = tokenise(text);
    const value = parseValue(tokens, 0);
    return tokens.current === "" ? value : undefined;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function tokenise(text: string): Tokens {
  let position = 0;
  const tokens: Tokens = {
    current: "",
    next() {
      space.lastIndex = position;
      space.exec(text);
      token.lastIndex = space.lastIndex;
      if (text.startsWith("/*", token.lastIndex)) throw new Malformed();
      const match = token.exec(text);
      if (match === null) throw new Malformed();
      position = token.lastIndex;
      const taken = tokens.current;
      tokens.current = match[1] ?? "";
      return taken;
    },
  };
  tokens.next();
  return tokens;
}

function parseValue(tokens: Tokens, depth: number): Json {
  if (depth > maxJsonDepth) throw new Malformed();
  const start = tokens.next();
  if (start === "{") return parseObject(tokens, depth);
  if (start === "[") return parseArray(tokens, depth);
  if (start.startsWith("{{")) return start;
  return parseScalar(start);
}

function parseObject(tokens: Tokens, depth: number): Json {
  const entries: [string, Json][] = [];
  while (tokens.current !== "}") {
    const name = tokens.next();
    if (tokens.next() !== ":") throw new Malformed();
    entries.push([/^["']/.test(name) ? unquote(name) : name, parseValue(tokens, depth + 1)]);
    endItem(tokens, "}");
  }
  tokens.next();
  return Object.fromEntries(entries);
}

function parseArray(tokens: Tokens, depth: number): Json {
  const items: Json[] = [];
  while (tokens.current !== "]") {
    items.push(parseValue(tokens, depth + 1));
    endItem(tokens, "]");
  }
  tokens.next();
  return items;
}

function endItem(tokens: Tokens, close: string): void {
  if (tokens.current === ",") tokens.next();
  else if (tokens.current !== close) throw new Malformed();
}

function parseScalar(text: string): Json {
  if (/^["']/.test(text)) return unquote(text);
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  const isNumber = /^[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/.test(text);
  if (!isNumber) throw new Malformed();
  const size = Number(text.replace(/^[+-]/, ""));
  return text.startsWith("-") ? -size : size;
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };

/** The text between quotes. A backslash before a line break continues the text on the next line. */
function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g, (_, unicode, byte, single: string) => {
      if (unicode ?? byte) return String.fromCharCode(Number.parseInt(unicode ?? byte, 16));
      return /[\r\n]/.test(single) ? "" : (escapes[single] ?? single);
    });
}
