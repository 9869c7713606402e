import type { JsonSchema } from "./json-schema.ts";

/** How an answer is read. `events`: server-sent events. */
type AnswerKind = "json" | "text" | "blob" | "events" | "none";

/** One operation of the document, as far as the client needs it. */
export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  parameters: readonly Parameter[];
  /** `json` may be a form as well where `orForm` says so. */
  body: { kind: "json" | "multipart" | "binary"; schema: JsonSchema; required: boolean; orForm: boolean } | undefined;
  answer: { kind: AnswerKind; schema: JsonSchema };
};

export type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema };

/** The parts of an OpenAPI 3.1 document that a client is made of. */
export type OpenApiDocument = {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, JsonSchema> };
};

type Content = Record<string, { schema: JsonSchema }>;
type RawOperation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly (Omit<Parameter, "required"> & { required?: boolean })[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};

/** Every operation, sorted by name, except those that take any body: other services call them (webhooks). */
export function readOperations({ paths }: OpenApiDocument): Operation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody?.content["*/*"] === undefined)
      .map(([method, raw]) => toOperation(path, method.toUpperCase(), raw)),
  );
  return operations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toOperation(path: string, method: string, raw: RawOperation): Operation {
  return {
    id: raw.operationId,
    method,
    path,
    summary: raw.summary,
    description: raw.description,
    parameters: (raw.parameters ?? []).map((parameter) => ({ ...parameter, required: parameter.required === true })),
    // No browser sends a body with GET; what it would say can be said in the query.
    body: method === "GET" ? undefined : toBody(raw.requestBody),
    answer: toAnswer(raw.responses),
  };
}

function toBody(requestBody: RawOperation["requestBody"]): Operation["body"] {
  if (requestBody === undefined) return undefined;
  const required = requestBody.required === true;
  const { "application/json": json, "multipart/form-data": form } = requestBody.content;
  const bytes = requestBody.content["application/octet-stream"];
  if (json !== undefined) return { kind: "json", schema: json.schema, required, orForm: form !== undefined };
  if (form !== undefined) return { kind: "multipart", schema: form.schema, required, orForm: true };
  if (bytes !== undefined) return { kind: "binary", schema: bytes.schema, required: true, orForm: false };
  throw new Error(`The client sends no ${Object.keys(requestBody.content).join(" or ")}.`);
}

function toAnswer(responses: RawOperation["responses"]): Operation["answer"] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const content = Object.entries(success?.content ?? {});
  const [type, answer] = content.find(([name]) => name === "application/json") ?? content[0] ?? [];
  if (type === undefined || answer === undefined) return { kind: "none", schema: {} };
  return { kind: toAnswerKind(type), schema: answer.schema };
}

function toAnswerKind(mediaType: string): AnswerKind {
  if (mediaType === "application/json") return "json";
  if (mediaType === "text/event-stream") return "events";
  return /^text\/|yaml|xml|javascript/.test(mediaType) ? "text" : "blob";
}
