import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";

const thing = z.object({ id: z.string() });

const things = defineResource({
  path: "/api/v1/keys",
  name: "API key",
  tag: "API keys",
  permission: "apikeys",
  schema: thing,
  service: { get: async (id) => ({ id }), remove: async () => undefined },
});

test("routes follow from the resource", () => {
  const handle = () => ({ id: "a" });
  const routes = [
    things.list({ handle: () => [] }),
    things.get(),
    things.create({ body: thing, handle }),
    things.update({ body: thing, handle }),
    things.delete(),
  ];
  assert.deepEqual(
    routes.map(({ method, path, operationId, permission }) => [method, path, operationId, permission].join(" ")),
    [
      "GET /api/v1/keys listApiKeys apikeys:read",
      "GET /api/v1/keys/{id} getApiKey apikeys:read",
      "POST /api/v1/keys createApiKey apikeys:write",
      "PUT /api/v1/keys/{id} updateApiKey apikeys:write",
      "DELETE /api/v1/keys/{id} deleteApiKey apikeys:write",
    ],
  );
  assert.deepEqual(
    routes.slice(1).map(({ summary }) => summary),
    ["Read an API key", "Create an API key", "Change an API key", "Delete an API key"],
  );
});

test("a route's own fields replace what follows", () => {
  const { summary, errors, tag } = things.delete({ summary: "Revoke an API key", errors: [404] });
  assert.deepEqual([summary, errors, tag], ["Revoke an API key", [404], "API keys"]);
});
