import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { describeWidget, findWidgetExcess, measureWidget } from "./measure-widget.ts";

function createBuild(t: TestContext, widget: string | Uint8Array, page: string | Uint8Array = "1;"): string {
  const dist = mkdtempSync(join(tmpdir(), "weft-widget-"));
  t.after(() => rmSync(dist, { recursive: true, force: true }));
  writeFileSync(join(dist, "widget.js"), widget);
  writeFileSync(join(dist, "chat-page.js"), page);
  return dist;
}

/** Noise as text that imports nothing; base64 keeps three quarters of its bytes after gzip. */
const noise = (bytes: number) => randomBytes(bytes).toString("base64");

test("a client within its budgets is told by its size", (t) => {
  const sizes = measureWidget(createBuild(t, noise(10_000), noise(5_000)));
  assert.deepEqual(findWidgetExcess(sizes), []);
  assert.match(describeWidget(sizes), /^widget: 10 kB embedded, 15 kB on its own page/);
});

test("each budget that is exceeded is named", (t) => {
  const excess = findWidgetExcess(measureWidget(createBuild(t, noise(45_000), noise(20_000))));
  assert.equal(excess.length, 2);
  assert.match(excess[0] ?? "", /widget is 4\d kB .*40 kB are allowed/);
  assert.match(excess[1] ?? "", /page is 6\d kB .*60 kB are allowed/);
});

test("a client in several files, or none, is refused", (t) => {
  assert.throws(() => measureWidget(createBuild(t, 'import e from"./other.js";')), /must be one file/);
  assert.throws(() => measureWidget(join(tmpdir(), "weft-no-such-build")), /ENOENT/);
});
