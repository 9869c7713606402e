import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { createOpenApiDocument } from "@weft/http";
import { onTestDatabase } from "../../../../database/src/testing/test-databases.ts";
import { describeRoutes } from "../../describe-routes.ts";
import { readApiDocument } from "../api-document.ts";
import { referenceRows } from "./reference-rows.ts";
import { toCases } from "./testing/cases.ts";
import { toConformanceText } from "./testing/conformance-text.ts";
import { openWorld } from "./testing/open-world.ts";
import { allScenarios } from "./testing/scenarios/all-scenarios.ts";
import type { World } from "./testing/world.ts";

const document = readApiDocument(createOpenApiDocument(await describeRoutes(), { version: "1" }));
const cases = toCases(document, allScenarios);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

await onTestDatabase((databases) => {
  describe("every status of every operation", () => {
    const endings: (() => Promise<void>)[] = [];
    let world: World;
    before(async () => {
      world = await openWorld({ after: (end) => endings.push(end) }, databases);
    });
    after(async () => {
      for (const end of endings) await end();
    });

    for (const { operation, status, how, request } of cases) {
      test(`${operation.method} ${operation.path} answers ${status} to ${how}`, async () => {
        const response = await request(world);
        const text = await response.text();
        const contentType = response.headers.get("content-type");
        assert.equal(response.status, status, text);
        assert.equal(document.findMistake(operation, { status, contentType, text }), undefined, text);
        if (status >= 400) assert.equal(JSON.parse(text).statusCode ?? status, status);
      });
    }

    test("a path that nothing has is 404, with any method", async () => {
      for (const path of ["/api/v1/nothing", "/api/v2/chatflows", "/api/v1/chatflows/a/b/c/d", "/nothing"]) {
        for (const method of methods) {
          const response = await world.platform.fetch(new Request(`http://platform${path}`, { method }));
          const text = await response.text();
          assert.deepEqual([response.status, JSON.parse(text).code], [404, "path-unknown"], `${method} ${path}`);
          const answer = { status: 404, contentType: response.headers.get("content-type"), text };
          assert.equal(document.findMistake(undefined, answer), undefined);
        }
      }
    });

    for (const path of new Set(document.operations.map((operation) => operation.path))) {
      test(`${path} answers 405 to a method that it does not take`, async () => {
        const here = document.operations.filter((operation) => operation.path === path);
        const taken = here.flatMap(({ method, takesAnyMethod }) => (takesAnyMethod ? methods : [method]));
        const others = document.operations
          .filter((operation) => isOf(operation.path, path))
          .map(({ method }) => method);
        for (const method of methods.filter((candidate) => ![...taken, ...others].includes(candidate))) {
          const url = `http://platform${path.replaceAll(/[{}]/g, "")}`;
          const response = await world.platform.fetch(new Request(url, { method }));
          const body = (await response.json()) as { code: string };
          assert.deepEqual([response.status, body.code], [405, "method-not-allowed"], method);
          for (const allowed of taken) assert.ok(response.headers.get("allow")?.includes(allowed));
        }
      });
    }
  });
});

/** Whether a path also is of another one, in which a parameter stands for its name. */
function isOf(pattern: string, path: string): boolean {
  const text = path.replaceAll(/[{}]/g, "");
  return pattern !== path && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(text);
}

describe("the reference", () => {
  for (const { method, path, operationId, statuses } of referenceRows) {
    test(`${method} ${path} is served, with the statuses of its row and no others`, () => {
      const operation = document.operations.find((candidate) => candidate.id === operationId);
      assert.equal(`${operation?.method} ${operation?.path}`, `${method} /api/v1${path}`);
      const declared = Object.keys(operation?.answers ?? {}).map(Number);
      const missing = statuses.filter((status) => !declared.includes(status));
      assert.deepEqual(missing, [], "in the row, but not declared");
      const additions = [400, 401, 403, 409, 412, 413, 415, 429, 500, 503];
      const foreign = declared.filter((status) => !statuses.includes(status) && !additions.includes(status));
      assert.deepEqual(foreign, [], "declared, but not in the row");
    });
  }
});

test("docs/conformance.md is current", async () => {
  const committed = await readFile(new URL("../../../../../docs/conformance.md", import.meta.url), "utf8");
  assert.equal(committed, toConformanceText(cases), "Run `./weft conformance` and commit docs/conformance.md.");
});
