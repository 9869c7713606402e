import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineRoute, type Route } from "./define-route.ts";

const definition = {
  method: "GET",
  path: "/api/v1/things/{id}",
  operationId: "getThing",
  summary: "",
  tag: "Things",
  permission: "open",
  returns: null,
  errors: [],
  handle: () => undefined,
} as const;

test("a declaration that contradicts itself stops the start", () => {
  const define = (more: object) => () => defineRoute({ ...definition, ...more } as unknown as Route);
  assert.throws(define({ permission: undefined }), /GET \/api\/v1\/things\/\{id\}: declares no permission/);
  assert.throws(define({ permission: "agents:reed" }), /permission/);
  assert.throws(define({ permission: { permission: "everything" } }), /permission/);
  assert.throws(define({ params: z.object({ key: z.string() }) }), /params declares key, the path has id/);
  assert.throws(define({ body: z.object({}) }), /takes no body/);
  assert.throws(define({ confirms: "agent", query: z.object({}) }), /no query of its own/);
  for (const path of ["things", "/things/", "/things/{id", "/a//b", "/a?b"])
    assert.throws(define({ path }), /path/, path);
});

test("a declaration that fits is a route", () => {
  for (const permission of ["open", "signed-in", "agents:read"] as const) {
    assert.equal(defineRoute({ ...definition, permission }).operationId, "getThing");
  }
});
