import assert from "node:assert/strict";
import { it } from "node:test";
import { waitText } from "./execution-page.tsx";

it("says when a run continues by itself, and with which signals", () => {
  // Without an offset: the reader's own time.
  const waitsUntil = new Date(2026, 2, 1, 9, 0, 0).toISOString();
  assert.equal(waitText({ waitsUntil: null, waitsForSignals: [] }), undefined);
  assert.equal(waitText({ waitsUntil, waitsForSignals: [] }), "It continues at Mar 1, 2026, 09:00:00.");
  assert.equal(
    waitText({ waitsUntil: null, waitsForSignals: ["go", "stop"] }),
    "It continues when one of these signals is sent: go or stop.",
  );
  assert.equal(
    waitText({ waitsUntil, waitsForSignals: ["go"] }),
    "It continues at Mar 1, 2026, 09:00:00 or when this signal is sent: go.",
  );
});
