import { pageQuerySchema, pageSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineRoute, type Route, type RouteDefinition } from "../route/define-route.ts";
import type { Permission } from "../route/identity.ts";
import { ifFound } from "../route/if-found.ts";
import { withArticle } from "./rows.ts";

export type ResourceDefinition<T extends z.ZodType> = {
  /** Of the list; one of them has its id after it. */
  path: string;
  /** One of them in a sentence, such as `API key`. Operations are named after it: `listApiKeys`, `getApiKey`. */
  name: string;
  tag: string;
  /** `tools`: reading needs `tools:read`, the rest `tools:write`; or both by name. */
  permission: string | { read: Permission; write: Permission };
  schema: T;
  service: {
    /** Rejects with `not-found`. Also finds what an earlier request with the same Idempotency-Key created. */
    get(id: string): Promise<z.input<T>>;
    /** Absent: `delete` is given a handler, or the resource has none. */
    remove?(id: string): Promise<void>;
  };
};

/** What a route may say of its own. It replaces what follows from the resource. */
type Fields<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Omit<
  RouteDefinition<Permission, z.ZodType<{ id: string }>, Q, B, R>,
  "method" | "path" | "operationId" | "tag" | "permission"
>;
type Handled<F extends { handle: unknown }> = Partial<F> & Pick<F, "handle">;
type None = z.ZodUndefined;
type ListOf<T extends z.ZodType> = z.ZodUnion<[z.ZodArray<T>, ReturnType<typeof pageSchema<T>>]>;

/** The usual operations of a resource; a feature lists those that it offers. */
export type Resource<T extends z.ZodType> = {
  /** Whole, or in pages where the request asks for one. */
  list<Q extends z.ZodType = typeof pageQuerySchema>(fields: Handled<Fields<Q, None, ListOf<T>>>): Route;
  get(fields?: Partial<Fields<None, None, T>>): Route;
  /** Accepts `Idempotency-Key`: the handler takes `newId` where the body has no id. */
  create<B extends z.ZodType>(fields: Handled<Fields<None, B, T>>): Route;
  /** Accepts `If-Match`: the handler hands on `assertMatches`. */
  update<B extends z.ZodType>(fields: Handled<Fields<None, B, T>>): Route;
  delete(fields?: Partial<Fields<None, None, z.ZodVoid>>): Route;
};

/** Derives the usual operations of a resource: paths, names, texts, permissions, schemas and errors. */
export function defineResource<T extends z.ZodType>(definition: ResourceDefinition<T>): Resource<T> {
  const { path, name, tag, permission, schema, service } = definition;
  const one = withArticle(name);
  const operation = name.replace(/(\w)(\w*) ?/g, (_, first, rest) => first.toUpperCase() + rest.toLowerCase());
  const ofAll = { tag, path, returns: { schema } };
  const ofOne = { ...ofAll, path: `${path}/{id}`, params: z.object({ id: uuidSchema }) };
  const { read, write } =
    typeof permission === "string" ? { read: `${permission}:read`, write: `${permission}:write` } : permission;
  const reading = { method: "GET", permission: read };
  const writing = { permission: write };
  const define = (...fields: object[]) => defineRoute(Object.assign({}, ...fields) as Route);

  return {
    list: (fields) =>
      define(ofAll, reading, {
        operationId: `list${operation}s`,
        summary: `List the ${name}s, most recently updated first`,
        query: pageQuerySchema,
        returns: { schema: z.union([z.array(schema), pageSchema(schema)]) },
        errors: [400],
        ...fields,
      }),

    get: (fields) =>
      define(ofOne, reading, {
        operationId: `get${operation}`,
        summary: `Read ${one}`,
        errors: [400, 404],
        handle: ({ params }: { params: { id: string } }) => service.get(params.id),
        ...fields,
      }),

    create: (fields) =>
      define(ofAll, writing, {
        method: "POST",
        operationId: `create${operation}`,
        summary: `Create ${one}`,
        bodyErrorStatus: 422,
        recall: (id: string) => ifFound(service.get(id)),
        errors: [400, 409, 422],
        ...fields,
      }),

    update: (fields) =>
      define(ofOne, writing, {
        method: "PUT",
        operationId: `update${operation}`,
        summary: `Change ${one}`,
        errors: [400, 404, 412],
        ...fields,
      }),

    delete: (fields) =>
      define(ofOne, writing, {
        method: "DELETE",
        operationId: `delete${operation}`,
        summary: `Delete ${one}`,
        returns: null,
        errors: [400, 404],
        handle: ({ params }: { params: { id: string } }) => service.remove?.(params.id),
        ...fields,
      }),
  };
}
