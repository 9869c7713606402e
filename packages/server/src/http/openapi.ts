import { errorBodySchema, type JsonObject } from "@weft/schema";
import type { z } from "zod";
import { pathParameters, type Route } from "./define-route.ts";
import { type ComponentSchemas, createComponentSchemas } from "./openapi-schemas.ts";

export type OpenApiInfo = { version: string };

/**
 * The OpenAPI 3.1 document of the routes. The same routes make the same document, whatever their order: paths and
 * schemas are sorted. Throws when two schemas claim the same name.
 */
export function createOpenApiDocument(routes: readonly Route[], { version }: OpenApiInfo): JsonObject {
  const schemas = createComponentSchemas();
  const error = schemas.output(errorBodySchema);
  const sorted = routes.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const paths: Record<string, JsonObject> = {};
  for (const route of sorted) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: toOperation(route, schemas) };
  }
  const statuses = [...new Set(routes.flatMap(failureStatuses))].toSorted((a, b) => a - b);
  return {
    openapi: "3.1.0",
    info: { title: "Weft", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
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

function sortKey({ path, method }: Route): string {
  return `${path} ${method}`;
}

function toOperation(route: Route, schemas: ComponentSchemas): JsonObject {
  const parameters = [...toPathParameters(route, schemas), ...toQueryParameters(route, schemas)];
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [route.tag],
    ...toSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== undefined && { requestBody: toRequestBody(route.body, schemas) }),
    responses: {
      ...toSuccess(route, schemas),
      ...Object.fromEntries(
        failureStatuses(route).map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

function toSecurity({ permission: access }: Route): JsonObject {
  if (access === "open") return { security: [] };
  if (access === "signed-in") return {};
  if (typeof access === "string") return { "x-permission": access };
  return { security: [{ bearerAuth: [] }, {}], "x-permission": access.permission };
}

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

function toRequestBody(body: z.ZodType, schemas: ComponentSchemas): JsonObject {
  const isRequired = !body.safeParse(undefined).success;
  return { required: isRequired, content: { "application/json": { schema: schemas.input(body) } } };
}

function toSuccess({ returns }: Route, schemas: ComponentSchemas): JsonObject {
  if (returns === null) return { "200": { description: "Done. The answer has no body." } };
  const { schema, contentType = "application/json", otherContentTypes = [], status = 200 } = returns;
  const others = otherContentTypes.map((type): [string, JsonObject] => [type, { schema: { type: "string" } }]);
  const mediaType = contentType.split(";", 1)[0] ?? contentType;
  const content = Object.fromEntries([[mediaType, { schema: schemas.output(schema) }], ...others]);
  return { [String(status)]: { description: returns.description ?? "Success", content } };
}

/** The statuses of the operation's row and those that its policy and body bring along. */
function failureStatuses(route: Route): number[] {
  const byPolicy = route.permission === "open" ? [] : route.permission === "signed-in" ? [401] : [401, 403];
  const byBody = route.body === undefined ? [] : [400, route.bodyErrorStatus ?? 400, 413, 415];
  return [...new Set([...route.errors, ...byPolicy, ...byBody])].toSorted((a, b) => a - b);
}

function toErrorAnswer(status: number, schema: JsonObject): JsonObject {
  return {
    description: descriptions[status] ?? "Failure",
    content: { "application/json": { schema }, "application/problem+json": { schema } },
  };
}

const descriptions: Record<number, string> = {
  400: "An id, parameter or body is invalid, or the body is missing",
  401: "No valid token or API key was sent",
  403: "The API key lacks the permission",
  404: "Not found",
  409: "Conflicts with what exists",
  412: "Changed since it was read",
  413: "The body is too large",
  415: "The body has another media type",
  422: "The body does not fit its schema",
  429: "Too many requests",
  500: "Internal error, or a flow, model or tool failed",
  503: "Not ready, stopping or at capacity",
};
