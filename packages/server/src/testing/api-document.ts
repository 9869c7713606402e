import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject, JsonSchema } from "@weft/schema";

/** One operation of the OpenAPI document. */
export type ApiOperation = {
  id: string;
  method: string;
  /** Whether it takes every other method as well. */
  takesAnyMethod: boolean;
  /** Parameters in braces. */
  path: string;
  /** Answers without credentials: never, always, or for some resources. */
  open: "never" | "always" | "sometimes";
  /** What a key must have; undefined where any bearer does. */
  permission: string | undefined;
  parameters: readonly ApiParameter[];
  /** Schemas and examples of the body by media type; undefined where there is none. */
  body: { required: boolean; content: Content } | undefined;
  /** Schemas of the answers by status and media type. */
  answers: Readonly<Record<string, Content>>;
};

export type ApiParameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema };
export type Content = Readonly<Record<string, { schema: JsonSchema; example?: Json }>>;

/** The OpenAPI document as tests read it. */
export type ApiDocument = {
  operations: readonly ApiOperation[];
  schemas: Readonly<Record<string, JsonSchema>>;
  /** What is wrong with an answer; undefined when it is as the document says. The text is that of a whole body. */
  findMistake(operation: ApiOperation | undefined, answer: ApiAnswer): string | undefined;
};

export type ApiAnswer = { status: number; contentType: string | null; text: string };

type RawAnswer = { $ref?: string; content?: Content };
type RawOperation = {
  operationId: string;
  security?: readonly object[];
  "x-permission"?: string;
  "x-any-method"?: boolean;
  parameters?: readonly (Omit<ApiParameter, "required"> & { required?: boolean })[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, RawAnswer>>;
};
type RawDocument = {
  paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, RawAnswer> };
};

/** Statuses that any operation may answer without saying so. Source: contract "Statuses and errors". */
const everywhere = [429, 503];

export function readApiDocument(document: JsonObject): ApiDocument {
  const { paths, components } = document as unknown as RawDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => toOperation(path, method, raw, components.responses)),
  );
  const validators = new Map<JsonSchema, Validator>();
  const validate = (schema: JsonSchema, value: unknown) => {
    const validator = validators.get(schema) ?? new Validator({ ...schema, components } as Schema, "2020-12");
    validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    return valid ? undefined : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`).join(" ");
  };
  const error = { schema: { $ref: "#/components/schemas/Error" } };
  const errorContent = { "application/json": error, "application/problem+json": error };
  return {
    operations,
    schemas: components.schemas,
    findMistake(operation, { status, contentType, text }) {
      if (status === 304) return text === "" ? undefined : "304 has a body";
      const isUniversal = operation === undefined || everywhere.includes(status);
      const content = operation?.answers[status] ?? (isUniversal ? errorContent : undefined);
      if (content === undefined) return `the status ${status} is not declared`;
      return findMistakeInBody(content, { contentType, text }, validate);
    },
  };
}

function toOperation(path: string, method: string, raw: RawOperation, shared: Record<string, RawAnswer>): ApiOperation {
  const resolve = ({ $ref, content }: RawAnswer) => ($ref ? shared[$ref.split("/").at(-1) ?? ""]?.content : content);
  const answers = Object.entries(raw.responses).map(([status, answer]) => [status, resolve(answer) ?? {}]);
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    takesAnyMethod: raw["x-any-method"] === true,
    path,
    open: raw.security === undefined ? "never" : raw.security.length === 0 ? "always" : "sometimes",
    permission: raw["x-permission"],
    parameters: (raw.parameters ?? []).map((parameter) => ({ ...parameter, required: parameter.required === true })),
    body: raw.requestBody && { required: raw.requestBody.required === true, content: raw.requestBody.content },
    answers: Object.fromEntries(answers),
  };
}

function findMistakeInBody(
  content: Content,
  { contentType, text }: Omit<ApiAnswer, "status">,
  validate: (schema: JsonSchema, value: unknown) => string | undefined,
): string | undefined {
  if (Object.keys(content).length === 0) return text === "" ? undefined : "no body is declared";
  const type = contentType?.split(";", 1)[0] ?? "";
  const media = content[type] ?? content["*/*"];
  if (media === undefined) return `the content type ${contentType} is not declared`;
  if (!/[/+]json$/.test(type)) return undefined;
  try {
    return validate(media.schema, JSON.parse(text));
  } catch {
    return "the body is not JSON";
  }
}
