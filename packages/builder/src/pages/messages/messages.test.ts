import assert from "node:assert/strict";
import { test } from "node:test";
import { hasFilters, readMessagesSearch, toMessageFilter } from "./messages-search.ts";
import { groupSessions, toCsv } from "./queries.ts";

test("the address is read with care", () => {
  assert.deepEqual(readMessagesSearch({ from: "2025-02-30x", where: "MOON", feedback: "any", session: 12, tab: "x" }), {
    feedback: "any",
    session: "12",
  });
  assert.equal(hasFilters({ open: "s", tab: "leads" }), false);
  assert.equal(hasFilters({ where: "INTERNAL" }), true);
});

test("filters become the API's, whole days included", () => {
  const filter = toMessageFilter({ from: "2025-02-01", until: "2025-02-01", feedback: "THUMBS_DOWN", session: "s" });
  const startMs = Date.parse(filter.startDate ?? "");
  assert.equal(Date.parse(filter.endDate ?? "") - startMs, 24 * 60 * 60 * 1_000 - 1);
  assert.deepEqual([filter.feedback, filter.feedbackType, filter.sessionId], ["true", "THUMBS_DOWN", "s"]);
  assert.deepEqual(toMessageFilter({ feedback: "any" }), { feedback: "true" });
});

test("messages are gathered by session, with what was said first as the title", () => {
  const row = (id: string, sessionId: string, role: "userMessage" | "apiMessage", content: string) => ({
    id,
    sessionId,
    role,
    content,
    createdDate: `2025-01-01T00:00:0${id}.000Z`,
  });
  const rows = [
    row("4", "a", "apiMessage", "Bye"),
    row("3", "b", "apiMessage", " "),
    row("2", "a", "apiMessage", "Hello"),
    row("1", "a", "userMessage", "Hi "),
  ];
  const ratings = new Map([
    ["4", "THUMBS_UP"],
    ["2", "THUMBS_DOWN"],
  ] as const);
  assert.deepEqual(groupSessions(rows, ratings), [
    { sessionId: "a", title: "Hi", updatedDate: "2025-01-01T00:00:04.000Z", count: 3, rating: "THUMBS_DOWN" },
    { sessionId: "b", title: "", updatedDate: "2025-01-01T00:00:03.000Z", count: 1, rating: undefined },
  ]);
});

test("a table for spreadsheets quotes what it must and runs nothing that others wrote", () => {
  const text = toCsv(
    ["a", "b"],
    [
      ['say "hi", twice\nor more', "=HYPERLINK(1)"],
      ["-5", "plain"],
    ],
  );
  assert.equal(text, '\uFEFFa,b\r\n"say ""hi"", twice\nor more",\'=HYPERLINK(1)\r\n\'-5,plain\r\n');
});
