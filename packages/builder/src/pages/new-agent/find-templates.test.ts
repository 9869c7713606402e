import assert from "node:assert/strict";
import { it } from "node:test";
import type { TemplateSummary } from "@weft/client";
import { findTemplates } from "./new-agent-page.tsx";

const need = { kind: "service", name: "orderApi", title: "Order system" } as const;
const templates: Pick<TemplateSummary, "category" | "title" | "summary" | "needs">[] = [
  { category: "support", title: "Refunds", summary: "Looks up the order.", needs: [need] },
  { category: "support", title: "Help desk", summary: "Answers from articles.", needs: [] },
  { category: "data", title: "Answers about data", summary: "Asks a database.", needs: [] },
];
const titles = (search: string, category = "") =>
  findTemplates(templates, { search, category }).map(({ title }) => title);

it("finds all without words, and those of a category", () => {
  assert.deepEqual(titles(" "), ["Refunds", "Help desk", "Answers about data"]);
  assert.deepEqual(titles("", "data"), ["Answers about data"]);
});

it("finds every word in title, sentence, category and needs, whatever its case", () => {
  assert.deepEqual(titles("ORDER system"), ["Refunds"]);
  assert.deepEqual(titles("answers support"), ["Help desk"]);
  assert.deepEqual(titles("answers", "data"), ["Answers about data"]);
  assert.deepEqual(titles("order database"), []);
});
