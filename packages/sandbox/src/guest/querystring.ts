import type { SystemCall } from "./requirer.ts";

/** Runs inside QuickJS, from its source text: `node:querystring`, computed by the host. */
export function createQuerystringModule(call: SystemCall) {
  const toValue = (value: unknown) => {
    const isPlain = ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value);
    return isPlain ? String(value) : "";
  };
  const parse = (text: unknown, separator?: string, equals?: string) =>
    call({ do: "parse-query", text: String(text ?? ""), separator, equals });
  const stringify = (values: unknown, separator?: string, equals?: string) => {
    const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
    const pairs = entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(toValue) : toValue(value)]);
    return call({ do: "write-query", values: Object.fromEntries(pairs), separator, equals });
  };
  return {
    parse,
    stringify,
    decode: parse,
    encode: stringify,
    escape: (text: unknown) => call({ do: "escape-query", text: String(text) }),
    unescape: (text: unknown) => call({ do: "unescape-query", text: String(text) }),
  };
}
