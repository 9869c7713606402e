import type { JsonSchema } from "./json-schema.ts";
import { type OpenApiDocument, type Operation, type Parameter, readOperations } from "./read-operations.ts";
import { toComment, toFields, toType, toTypeName } from "./to-type.ts";

const head = "// Made from openapi.json by `npm run -s client`. Changes are made there.";

/** The text of `packages/client/src/api.gen.ts`: a type for every schema, a function type and a description for every operation. */
export function toClientText(document: OpenApiDocument): string {
  const operations = readOperations(document);
  const schemas = Object.entries(document.components.schemas);
  const lines = [
    head,
    `import type { ${importsFor(operations).join(", ")} } from "./operation.ts";`,
    ...schemas.flatMap(([name, schema]) => ["", ...toSchemaType(name, schema)]),
    "",
    "/** The operations of the API by their names. */",
    "export type Operations = {",
    ...operations.flatMap(toSignatures),
    "};",
    "",
    "/** What a call of each operation consists of. */",
    "export const operations: Record<keyof Operations, OperationDescription> = {",
    ...operations.map((operation) => `${operation.id}: ${JSON.stringify(toDescription(operation))},`),
    "};",
  ];
  return `${indent(lines)}\n`;
}

function importsFor(operations: readonly Operation[]): string[] {
  const hasEvents = operations.some(({ answer }) => answer.kind === "events");
  return ["OperationDescription", "RequestOptions", ...(hasEvents ? ["StreamFrame"] : [])];
}

function toSchemaType(name: string, schema: JsonSchema): string[] {
  return [...toComment(schema.description), `export type ${toTypeName(name)} = ${toType(schema)};`];
}

/** Two signatures where an operation answers a page when it is asked for one. */
function toSignatures(operation: Operation): string[] {
  const inPlace = operation.parameters.filter((parameter) => parameter.in !== "header" && !isOption(parameter));
  const [list, page] = operation.answer.schema.anyOf ?? [];
  const isPage = ({ name }: Parameter) => name === "page" || name === "limit";
  if (list?.type !== "array" || page?.properties?.data === undefined || !inPlace.some(isPage)) {
    return toSignature(operation, inPlace, toAnswerType(operation.answer));
  }
  const demanded = inPlace.map((parameter) => ({ ...parameter, required: parameter.required || isPage(parameter) }));
  return [
    ...toSignature(
      operation,
      inPlace.filter((parameter) => !isPage(parameter)),
      toType(list),
    ),
    ...toSignature(operation, demanded, toType(page)),
  ];
}

function toSignature(operation: Operation, parameters: readonly Parameter[], answer: string): string[] {
  const { id, method, path, body } = operation;
  const args = [
    ...(parameters.length === 0 ? [] : [toParametersArgument(parameters, body?.required === true)]),
    ...(body === undefined
      ? []
      : [`body${body.required ? "" : "?"}: ${toType(body.schema)}${body.orForm ? " | FormData" : ""}`]),
    `options?: ${toOptionsType(operation)}`,
  ];
  const about = [operation.summary, operation.description].filter((text) => text !== undefined);
  const comment = about.map((text) => text.replace(/([^.])$/, "$1.")).join(" ");
  return [...toComment(`${comment} \`${method} ${path}\``), `${id}(${args.join(", ")}): Promise<${answer}>;`];
}

function toParametersArgument(parameters: readonly Parameter[], isFollowedByRequired: boolean): string {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const isOptional = required.length === 0 && !isFollowedByRequired;
  return `params${isOptional ? "?" : ""}: { ${toFields(properties, required).join(" ").replace(/;$/, "")} }`;
}

function toOptionsType({ parameters }: Operation): string {
  const headers = parameters.filter((parameter) => parameter.in === "header");
  const queries = parameters.filter(isOption).map(({ name, schema }) => `${name}?: ${toType(schema)}`);
  const options = [...headers.map(({ name }) => `${toOptionName(name)}?: string`), ...queries];
  return options.length === 0 ? "RequestOptions" : `RequestOptions & { ${options.join("; ")} }`;
}

/** A query parameter that came after an operation had callers: it is an option, so that they need not change. */
function isOption(parameter: Parameter): boolean {
  return parameter.schema["x-client"] === "option";
}

function toAnswerType({ kind, schema }: Operation["answer"]): string {
  switch (kind) {
    case "json":
      return toType(schema);
    case "text":
      return "string";
    case "blob":
      return "Blob";
    case "events":
      return "AsyncIterable<StreamFrame>";
    case "none":
      return "void";
  }
}

function toDescription({ method, path, parameters, body, answer }: Operation) {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const query = queries.filter((parameter) => !isOption(parameter)).map(({ name }) => name);
  const queryOptions = queries.filter(isOption).map(({ name }) => name);
  const headers = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) => [toOptionName(name), name]);
  return {
    method,
    path,
    ...(query.length > 0 && { query }),
    ...(queryOptions.length > 0 && { queryOptions }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body: body.kind }),
    answer: answer.kind,
  };
}

/** `Idempotency-Key` is the option `idempotencyKey`. */
function toOptionName(header: string): string {
  return header.toLowerCase().replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Two spaces for each brace that a line is within. */
function indent(lines: readonly string[]): string {
  let depth = 0;
  return lines
    .flatMap((line) => line.split("\n"))
    .map((line) => {
      if (/^[}\]]/.test(line)) depth -= 1;
      const text = line === "" ? "" : `${"  ".repeat(depth)}${line}`;
      if (/[{[]$/.test(line)) depth += 1;
      return text;
    })
    .join("\n");
}
