import {
  type ErrorCode,
  errorBodySchema,
  type JsonObject,
  jsonObjectSchema,
  toJsonObject,
  WeftError,
  type WeftErrorOptions,
} from "@weft/schema";
import type { z } from "zod";
import { toErrorBody } from "../answer/to-error-response.ts";
import {
  type Access,
  defineRoute,
  type FailureFormat,
  pathParameters,
  type Route,
  refusedQuery,
} from "../route/define-route.ts";
import { addExamples, type ComponentSchemas, createComponentSchemas } from "./openapi-schemas.ts";

export type OpenApiInfo = { version: string };

/**
 * The OpenAPI 3.1 document of the routes. Independent of their order: paths and schemas are sorted. Throws if two
 * schemas claim the same name.
 */
export function createOpenApiDocument(all: readonly Route[], { version }: OpenApiInfo): JsonObject {
  const routes = all.filter(({ isPage }) => isPage !== true);
  const schemas = createComponentSchemas();
  const error = schemas.output(errorBodySchema);
  const sorted = routes.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const paths: Record<string, JsonObject> = {};
  for (const route of sorted) {
    const method = route.method === "ANY" ? "post" : route.method.toLowerCase();
    paths[route.path] = { ...paths[route.path], [method]: toOperation(route, schemas) };
  }
  addExamples(paths, schemas.all());
  const statuses = [...new Set(routes.flatMap(failureStatuses))].toSorted((a, b) => a - b);
  return {
    openapi: "3.1.0",
    info: {
      title: "Weft",
      version,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearerAuth: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A token, or an API key." },
      },
      responses: Object.fromEntries(statuses.map((status) => [`Error${status}`, toErrorAnswer(status, error)])),
      schemas: schemas.all(),
    },
  };
}

const introduction = `Manage and run agents over HTTP.

**Getting started:** nearly every operation requires a bearer token: \`Authorization: Bearer <token>\`. On the server's
machine, \`npm run -s token\` prints a token, even before any account exists. With an account, get one from
\`POST /api/v1/auth/login\`; programs use an API key, created with \`POST /api/v1/apikey\`.

\`\`\`sh
curl -H "Authorization: Bearer $(npm run -s token)" http://localhost:3000/api/v1/chatflows
\`\`\`

**Errors** share one format, the schema \`Error\`, except in operations that follow another protocol. \`message\` says
what to do, \`code\` never changes its meaning, and \`requestId\` appears in the server's log. Any operation can also
return 405 for an unsupported method, 429 for too many requests, and 503 while the server starts or stops.`;

function sortKey({ path, method }: Route): string {
  return `${path} ${method}`;
}

function toOperation(route: Route, schemas: ComponentSchemas): JsonObject {
  const parameters = [
    ...toPathParameters(route, schemas),
    ...toQueryParameters(route, schemas),
    ...(route.recall === undefined ? [] : [idempotencyKey]),
    ...(route.errors.includes(412) ? [ifMatch] : []),
  ];
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [route.tag],
    ...toSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== undefined && { requestBody: toRequestBody(route.body, route, schemas) }),
    ...(route.method === "ANY" && { "x-any-method": true }),
    ...(route.takesRawBody && {
      requestBody: {
        content: {
          [route.takesRawBody === true ? "*/*" : route.takesRawBody]: { schema: { type: "string", format: "binary" } },
        },
      },
    }),
    responses: {
      ...toSuccess(route, schemas),
      ...Object.fromEntries(
        failureStatuses(route).map((status) => [String(status), toFailure(route, status, schemas)]),
      ),
    },
  };
}

function toFailure({ failure }: Route, status: number, schemas: ComponentSchemas): JsonObject {
  if (failure === undefined) return { $ref: `#/components/responses/Error${status}` };
  const answer = { schema: schemas.output(failure.schema), example: toErrorExample(status, failure) };
  return { description: describeFailure(status), content: { "application/json": answer } };
}

function toSecurity({ permission: access }: Route): JsonObject {
  if (access === "open" || (typeof access === "object" && access.permission === "open")) return { security: [] };
  if (access === "signed-in") return {};
  if (typeof access === "string") return { "x-permission": access };
  return { ...(!access.needsBearer && { security: [{ bearerAuth: [] }, {}] }), "x-permission": access.permission };
}

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  description: "A request repeated with the same key within 24 hours gets the response of the first one.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ifMatch: JsonObject = {
  name: "If-Match",
  in: "header",
  description:
    "ETag of the resource as you read it. If it has changed since, the request fails with 412 and nothing is changed.",
  schema: { type: "string" },
};

function toPathParameters({ path, params }: Route, schemas: ComponentSchemas): JsonObject[] {
  const fields = params === undefined ? {} : schemas.fields(params).properties;
  return pathParameters(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: fields[name] ?? { type: "string" },
  }));
}

function toQueryParameters({ query }: Route, schemas: ComponentSchemas): JsonObject[] {
  if (query === undefined) return [];
  const { properties, required } = schemas.fields(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function toRequestBody(body: z.ZodType, { multipart }: Route, schemas: ComponentSchemas): JsonObject {
  const json = { "application/json": { schema: schemas.input(body) } };
  const form = { "multipart/form-data": { schema: schemas.input(multipart?.form ?? body) } };
  return {
    required: !body.safeParse(undefined).success,
    content: multipart?.isRequired ? form : multipart === undefined ? json : { ...json, ...form },
  };
}

function toSuccess({ returns }: Route, schemas: ComponentSchemas): JsonObject {
  if (returns === null) return { "200": { description: "Success. The response has no body." } };
  const {
    schema,
    contentType = "application/json",
    otherContentTypes = [],
    status = 200,
    emptyStatus,
    accepted,
  } = returns;
  const others = otherContentTypes.map((type): [string, JsonObject] => [type, { schema: { type: "string" } }]);
  const mediaType = contentType.split(";", 1)[0] ?? contentType;
  const content = Object.fromEntries([[mediaType, { schema: schemas.output(schema) }], ...others]);
  return {
    [String(status)]: { description: returns.description ?? "Success", content },
    ...(emptyStatus !== undefined && { [String(emptyStatus)]: { description: "Accepted. The response has no body." } }),
    ...(accepted !== undefined && {
      "202": { description: "Accepted", content: { "application/json": { schema: schemas.output(accepted) } } },
    }),
  };
}

/**
 * The statuses in the operation's row and those implied by its policy and body. An internal error is always possible.
 */
function failureStatuses(route: Route): number[] {
  const byPolicy = policyStatuses(route.permission);
  const byRawBody = route.takesRawBody ? [413, 415] : [];
  const byBody = route.body === undefined ? byRawBody : [400, route.bodyErrorStatus ?? 400, 413, 415];
  const byRate = isLimited(route.permission) ? [429] : [];
  const byKey = route.recall === undefined ? [] : [400, 409];
  const byPath = pathParameters(route.path).length === 0 ? [] : [400];
  const byQuery = refusedQuery(route).length === 0 ? [] : [400];
  const all = [...route.errors, ...byPath, ...byQuery, ...byPolicy, ...byBody, ...byRate, ...byKey, 500];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

function isLimited(access: Access): boolean {
  return typeof access === "object" && (access.counts !== "read" || access.permission !== "open");
}

function policyStatuses(access: Access): number[] {
  if (access === "open") return [];
  if (access === "signed-in") return [401];
  // A page may be rejected where no bearer is required.
  return typeof access === "object" && access.permission === "open" ? [403] : [401, 403];
}

function toErrorAnswer(status: number, schema: JsonObject): JsonObject {
  const answer = { schema, example: toErrorExample(status) };
  return {
    description: describeFailure(status),
    content: { "application/json": answer, "application/problem+json": answer },
  };
}

function describeFailure(status: number): string {
  return descriptions[status] ?? "Failure";
}

const descriptions: Record<number, string> = {
  400: "An id, parameter or body is invalid, or the body is missing",
  401: "No valid token or API key was sent",
  403: "The API key lacks the permission, or the agent does not allow the page's origin",
  404: "Not found",
  409: "Conflicts with the current state",
  412: "The resource has changed since it was read",
  413: "The body is too large",
  415: "The body has an unsupported media type",
  422: "The body does not match its schema",
  429: "Too many requests",
  500: "Internal error, or a flow, model or tool failed",
  503: "Not ready, shutting down or at capacity",
};

/** One failure for each status that operations declare. */
const failures: Readonly<Record<number, [ErrorCode, WeftErrorOptions?]>> = {
  400: [
    "body-invalid",
    { params: { reason: "name: is required" }, errors: [{ path: "name", message: "is required" }] },
  ],
  401: ["unauthenticated"],
  403: ["forbidden", { params: { permission: "agents:read" } }],
  404: ["not-found", { params: { resource: "agent", id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" } }],
  409: ["idempotency-key-running"],
  412: ["precondition-failed"],
  413: ["body-too-large", { params: { limit: 52_428_800 } }],
  415: ["media-type-unsupported", { params: { expected: "application/json", actual: "text/plain" } }],
  422: [
    "validation-failed",
    { params: { reason: "name: is required" }, errors: [{ path: "name", message: "is required" }] },
  ],
  429: ["rate-limited", { params: { retryAfterSeconds: 30 } }],
  500: ["internal"],
  503: ["at-capacity", { params: { limit: 64, retryAfterSeconds: 1 } }],
};

/**
 * An example body for the status; `format`: of routes with their own.
 * Throws for a status without a known failure.
 */
function toErrorExample(status: number, format?: FailureFormat): JsonObject {
  const failure = failures[status];
  if (failure === undefined) throw new Error(`http/error-examples.ts has no failure of status ${status}.`);
  const error = new WeftError(...failure);
  if (format !== undefined) return toJsonObject(format.toBody(error, status));
  const context = { path: "/api/v1/chatflows", requestId: "0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" };
  return toJsonObject(toErrorBody(error, status, context));
}

/** Serves the OpenAPI document, which is created on the first request. */
export function openApiRoute(createDocument: () => unknown): Route {
  let text: string | undefined;
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApi",
    summary: "This API as an OpenAPI 3.1 document",
    tag: "Health",
    permission: "open",
    servesAnyHost: true,
    returns: { schema: jsonObjectSchema },
    errors: [],
    handle() {
      text ??= JSON.stringify(createDocument());
      return new Response(text, { headers: { "Content-Type": "application/json", "Cache-Control": "no-cache" } });
    },
  });
}
