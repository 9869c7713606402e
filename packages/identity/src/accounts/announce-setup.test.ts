import assert from "node:assert/strict";
import { test } from "node:test";
import { toSetupAnnouncement } from "./announce-setup.ts";

const known = { url: "http://127.0.0.1:3000", token: "t0k3n", now: 0 };
const address = "http://127.0.0.1:3000/setup#t0k3n";

test("on a terminal the set-up address stands alone on its line, between rules", () => {
  const lines = toSetupAnnouncement({ ...known, isTerminal: true }).split("\n");
  assert.ok(lines.some((line) => line.trim() === address));
  assert.equal(lines.filter((line) => /^─{72,}$/.test(line)).length, 2);
  assert.ok(lines.every((line) => !line.startsWith("{")));
});

test("in a pipe it is one line of JSON, as the log's lines are", () => {
  const text = toSetupAnnouncement({ ...known, isTerminal: false });
  assert.equal(text.indexOf("\n"), text.length - 1);
  const { event, level, reason, token } = JSON.parse(text);
  assert.deepEqual([event, level, token], ["setup-address-made", "info", "t0k3n"]);
  assert.ok(reason.includes(`${address} `));
});
