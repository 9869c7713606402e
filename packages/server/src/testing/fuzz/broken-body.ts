import fc from "fast-check";
import { anyText } from "./json-schema-arbitrary.ts";

/** A body and the type that it is sent as; undefined: none is named. */
export type FuzzBody = { content: string | Uint8Array<ArrayBuffer>; contentType: string | undefined };

const json = "application/json";

/** Bodies that are wrong in some way, made of a valid value. */
export function brokenBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzBody> {
  return fc.oneof(
    { weight: 6, arbitrary: withBrokenField(valid).map(toJsonBody) },
    { weight: 2, arbitrary: fc.tuple(valid, fc.nat(100)).map(([value, cut]) => truncated(value, cut)) },
    { weight: 2, arbitrary: valid.chain(withOddType) },
    { weight: 2, arbitrary: fc.jsonValue().map(toJsonBody) },
    fc.uint8Array({ maxLength: 60 }).map((content) => ({ content: new Uint8Array(content), contentType: json })),
    fc.constantFrom(1_000, 199, 201, 100_000).map((levels) => ({ content: nested(levels), contentType: json })),
    fc
      .constantFrom("", "{}", "[]", "null", '"', "{,}", '{"a":1}{"b":2}', "NaN")
      .map((content) => ({ content, contentType: json })),
  );
}

export function toJsonBody(value: unknown): FuzzBody {
  return { content: JSON.stringify(value) ?? "", contentType: json };
}

/** One field, anywhere near the top, is taken away, added, or has an odd value. */
function withBrokenField(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, true, -1, 1e308, [], {}, [[]], { length: -1 }, undefined),
    anyText,
    fc.constantFrom(5_000, 70_000, 400_000).map((length) => "x".repeat(length)),
    fc.array(fc.constant(0), { minLength: 200, maxLength: 300 }),
  );
  const extra = fc.constantFrom("extra", "__proto__", "constructor", "", "\u0000", "toJSON");
  return fc.tuple(valid, fc.nat(20), odd, extra).map(([value, choice, oddValue, extraName]) => {
    if (typeof value !== "object" || value === null) return oddValue;
    const names = Object.keys(value);
    const name = choice < 4 ? extraName : (names[choice % Math.max(names.length, 1)] ?? extraName);
    return Object.defineProperty({ ...value }, name, {
      value: oddValue,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });
}

function withOddType(value: unknown): fc.Arbitrary<FuzzBody> {
  const types = [
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "a/b/c",
  ];
  const odd = [
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=",
    "application/problem+json",
    undefined,
  ];
  return fc.constantFrom(...types, ...odd).map((contentType) => ({ ...toJsonBody(value), contentType }));
}

function truncated(value: unknown, cut: number): FuzzBody {
  const { content } = toJsonBody(value);
  const text = String(content);
  return { content: text.slice(0, Math.max(0, text.length - 1 - cut)), contentType: json };
}

function nested(levels: number): string {
  return `{"name":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}
