import type { JsonSchema } from "@weft/schema";
import fc from "fast-check";
import type { ApiDocument, ApiOperation, ApiParameter } from "../api-document.ts";
import { brokenBody, type FuzzBody, toJsonBody } from "./broken-body.ts";
import { formBody } from "./form-body.ts";
import { anyText, fromField, fromSchema } from "./json-schema-arbitrary.ts";

/** A request before known ids are filled in. */
export type FuzzRequest = {
  /** Undefined: a path or method that no operation has. */
  operation: ApiOperation | undefined;
  method: string;
  /** Parameters in braces. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: readonly (readonly [string, string])[];
  headers: Readonly<Record<string, string>>;
  /** Who sends it. */
  caller: "operator" | "weak-key" | "nobody" | "nonsense";
  body: FuzzBody | undefined;
  /** Whether it goes through a real connection. */
  overSocket: boolean;
};

/** Requests for the operations of a document: valid ones, and ones that are wrong in every way thought of. */
export function fuzzRequest({ operations, schemas }: ApiDocument): fc.Arbitrary<FuzzRequest> {
  // More can go wrong where there is a body.
  const weighted = [...operations, ...operations.filter(({ body }) => body !== undefined)];
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...weighted).chain((operation) => toRequest(operation, schemas)) },
    { weight: 1, arbitrary: strangeRequest(operations) },
  );
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function toRequest(operation: ApiOperation, schemas: Schemas): fc.Arbitrary<FuzzRequest> {
  const placed = (place: ApiParameter["in"]) => operation.parameters.filter((parameter) => parameter.in === place);
  const params = placed("path").map(({ name, schema }) => [name, pathValue(name, schema, schemas)] as const);
  return fc.record({
    operation: fc.constant(operation),
    method: fc.constant(operation.method),
    path: fc.constant(operation.path),
    params: fc.record(Object.fromEntries(params)),
    query: queryPairs(placed("query"), schemas),
    headers: someHeaders(placed("header")),
    caller: fc.oneof(
      { weight: 30, arbitrary: fc.constant("operator" as const) },
      fc.constantFrom("weak-key" as const, "nobody" as const, "nonsense" as const),
    ),
    body: toBody(operation, schemas),
    overSocket: fc.nat(9).map((choice) => choice === 0),
  });
}

function pathValue(name: string, schema: JsonSchema, schemas: Schemas): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    "nonsense",
    "..",
    "%",
    "undefined",
    "0",
    "00000000-0000-0000-0000-000000000000",
    "x".repeat(3_000),
  );
  return fc.oneof(
    { weight: 15, arbitrary: fromField(name, schema, schemas).map(String) },
    fc.oneof(odd, anyText).map((text) => (text === "" ? "-" : text)),
  );
}

function queryPairs(parameters: readonly ApiParameter[], schemas: Schemas): fc.Arbitrary<[string, string][]> {
  if (parameters.length === 0) return fc.constant([]);
  const toPair = ({ name, schema }: ApiParameter) => {
    const value = fc.oneof({ weight: 6, arbitrary: fromField(name, schema, schemas).map(String) }, anyText);
    return fc.tuple(fc.oneof({ weight: 20, arbitrary: fc.constant(name) }, anyText), value);
  };
  const required = fc.tuple(...parameters.filter((parameter) => parameter.required).map(toPair));
  const some = fc.array(fc.constantFrom(...parameters).chain(toPair), { maxLength: 4 });
  return fc.oneof(
    { weight: 4, arbitrary: required },
    { weight: 4, arbitrary: fc.tuple(required, some).map(([first, more]) => [...first, ...more]) },
    some,
  );
}

function someHeaders(parameters: readonly ApiParameter[]): fc.Arbitrary<Record<string, string>> {
  const keys = fc.constantFrom("a", "b", "c", "", "x".repeat(300), "\u00e9");
  const named = parameters.map(({ name }) => [name.toLowerCase(), keys] as const);
  const tags = fc.constantFrom("*", '"x"', 'W/"x"', "", "x,,", '"', "*, *");
  const accept = fc.constantFrom("application/problem+json", "text/html", "*/*;q=0", "");
  const all = { ...Object.fromEntries(named), "if-match": tags, "if-none-match": tags, accept };
  const some = fc.record(
    { ...all, "x-api-key": anyAscii, "last-event-id": anyAscii, origin: anyAscii },
    { requiredKeys: [] },
  );
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, some);
}

const anyAscii = fc.string({ unit: "grapheme-ascii", maxLength: 20 }).map((text) => text.trim());

function toBody({ body, method }: ApiOperation, schemas: Schemas): fc.Arbitrary<FuzzBody | undefined> {
  const form = body?.content["multipart/form-data"];
  const schema = body?.content["application/json"]?.schema;
  if (method === "GET") return fc.constant(undefined);
  if (body === undefined) {
    return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom("{}", "{", "").map(toJsonBody));
  }
  const valid = schema === undefined ? fc.constant({}) : fromSchema(schema, schemas);
  return fc.oneof(
    { weight: 12, arbitrary: form ? formBody(form.schema) : valid.map(toJsonBody) },
    { weight: schema && form ? 12 : 0, arbitrary: valid.map(toJsonBody) },
    { weight: 9, arbitrary: brokenBody(valid) },
    fc.constant(undefined),
  );
}

/** Paths that nothing has, and methods that a path does not take. */
function strangeRequest(operations: readonly ApiOperation[]): fc.Arbitrary<FuzzRequest> {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"];
  const paths = [...new Set(operations.map(({ path }) => path))];
  // A webhook takes any method, of which the document names one.
  const untaken = paths
    .filter((path) => !path.includes("/webhook/"))
    .flatMap((path) => {
      const taken = new Set(operations.filter((operation) => isAt(operation.path, path)).map(({ method }) => method));
      return methods.filter((method) => !taken.has(method)).map((method) => [method, path] as const);
    });
  const nowhere = fc.oneof(
    fc.constantFrom("/", "/api", "/api/v1", "/api/v2/chatflows", "//", "/.git/config", "/docs/x", "/api/v1/../../etc"),
    fc.constantFrom(...paths).map((path) => path.replace("/api/v1/", "/API/V1/").replace(/^(?!\/API)/, "/x")),
  );
  // At the root a GET finds the builder.
  const unknown = fc.tuple(fc.constantFrom(...methods), nowhere).filter((pair) => pair.join(" ") !== "GET /");
  return fc.tuple(fc.oneof(fc.constantFrom(...untaken), unknown), fc.boolean()).map(([[method, path], hasBody]) => ({
    operation: undefined,
    method,
    path: path.replaceAll(/[{}]/g, ""),
    params: {},
    query: [],
    headers: {},
    caller: "operator",
    body: hasBody && method !== "GET" ? toJsonBody({}) : undefined,
    overSocket: false,
  }));
}

/** Whether an operation is served at a path as it is written, a parameter standing for whatever is in its place. */
function isAt(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
}
