import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toErrorBody } from "../packages/http/src/answer/to-error-response.ts";
import { type ErrorCode, errorCatalogue } from "../packages/schema/src/error-code.ts";
import { WeftError } from "../packages/schema/src/weft-error.ts";
import { toErrorsPage } from "./errors/errors-page.ts";

const page = toErrorsPage();

test("the committed page of errors is the one that the catalogue makes", () => {
  const committed = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");
  assert.equal(committed, page, "An error changed: run `./weft errors` and commit the page.");
});

test("the type of every answered error has an anchor", () => {
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { type } = toErrorBody(new WeftError(code), 500, { path: "/", requestId: "" });
    assert.ok(page.includes(`\n### ${code}\n\`${type}\``), type);
  }
});
