import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoreQuestion } from "@weft/client";
import { type Outcome, rankChange, toQuestionRows } from "./question-table.tsx";

test("a later place, or none, is worse; an earlier one is better; one that was not asked before is neither", () => {
  assert.equal(rankChange({ rank: 3, previousRank: 1 }), "worse");
  assert.equal(rankChange({ rank: null, previousRank: 7 }), "worse");
  assert.equal(rankChange({ rank: 7, previousRank: null }), "better");
  assert.equal(rankChange({ rank: 1, previousRank: 2 }), "better");
  assert.equal(rankChange({ rank: null, previousRank: null }), undefined);
  assert.equal(rankChange({ rank: 1 }), undefined);
});

test("what got worse comes first, then what was not found, then the rest as it was", () => {
  const questions = ["ok", "new", "missing", "worse"].map((id) => ({ id }) as StoreQuestion);
  const outcome = (questionId: string, rank: number | null, previousRank: number | null) =>
    ({ questionId, rank, previousRank }) as Outcome;
  const rows = toQuestionRows(questions, [outcome("ok", 1, 1), outcome("missing", null, null), outcome("worse", 2, 1)]);
  assert.deepEqual(
    rows.map(({ question }) => question.id),
    ["worse", "missing", "ok", "new"],
  );
});
