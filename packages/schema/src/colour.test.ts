import assert from "node:assert/strict";
import { it } from "node:test";
import { contrastOf, readableOn } from "./colour.ts";

it("black or white is read on a colour, whichever has more contrast", () => {
  assert.equal(readableOn("#fff"), "#000000");
  assert.equal(readableOn("#000080"), "#ffffff");
  assert.equal(readableOn("rgb(255, 255, 0)"), "#000000");
  assert.equal(readableOn("red"), undefined);
});

it("the contrast of two colours is that of WCAG, in either order", () => {
  assert.equal(contrastOf("#000", "#ffffff"), 21);
  assert.equal(contrastOf("#ffffff", "#ffffff"), 1);
  assert.equal(contrastOf("#5b5bd6", "#fff")?.toFixed(1), "5.4");
  assert.equal(contrastOf("#fff", "#5b5bd6"), contrastOf("#5b5bd6", "#fff"));
  assert.equal(contrastOf("navy", "#fff"), undefined);
});

it("one of black and white is readable on every colour", () => {
  for (let shade = 0; shade < 256; shade += 1) {
    for (const ground of [`rgb(${shade}, 0, 0)`, `rgb(0, ${shade}, 0)`, `rgb(${shade}, ${shade}, ${shade})`]) {
      assert.ok((contrastOf(ground, readableOn(ground) ?? "") ?? 0) >= 4.5, ground);
    }
  }
});
