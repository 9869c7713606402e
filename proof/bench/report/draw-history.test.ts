import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawHistory } from "./draw-history.ts";
import { type HistoryLine, readHistory } from "./history.ts";

const machine = { cores: 2, model: "Test", node: "v24", load: 0, slowness: 1 };
const lineOf = (commit: string, ratio: number | undefined, title = "predictions"): HistoryLine => ({
  at: "2026-11-29T12:00:00.000Z",
  version: "0.3.0",
  commit,
  isChanged: false,
  machine,
  kind: "check",
  rounds: 5,
  seconds: 3,
  figures: [
    { name: "predictions", database: "sqlite", title, unit: "/s", value: 1, ...(ratio !== undefined && { ratio }) },
  ],
});

test("the picture in the documentation shows the history as it is kept", () => {
  const drawn = readFileSync(new URL("../../../docs/reference/bench-history.svg", import.meta.url), "utf8");
  assert.equal(drawn, drawHistory(readHistory()), "Draw it with ./weft bench:picture");
});

test("each figure is a line over its runs, with the commit of each point", () => {
  const svg = drawHistory([
    lineOf("aaaaaaaaaaaa", 0.9),
    lineOf("bbbbbbbbbbbb", 1.1),
    lineOf("cccccccccccc", undefined),
  ]);
  assert.equal(svg.match(/<polyline/g)?.length, 1);
  assert.deepEqual(
    Array.from(svg.matchAll(/<title>2026-11-29 (\w+): ([\d.]+)<\/title>/g), ([, commit, ratio]) => [commit, ratio]),
    [
      ["aaaaaaaa", "0.9"],
      ["bbbbbbbb", "1.1"],
    ],
  );
  assert.match(svg, /class="equal"/);
});

test("titles are text, and an empty history is an empty picture", () => {
  assert.match(drawHistory([lineOf("a", 1, 'a <b> & "c"')]), /a &lt;b&gt; &amp; &quot;c&quot;/);
  assert.doesNotMatch(drawHistory([]), /<polyline/);
});
