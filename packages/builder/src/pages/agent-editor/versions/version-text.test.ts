import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diffTexts, toStableText } from "./version-text.tsx";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
const textOf = (lines: readonly string[]) => `${lines.join("\n")}\n`;

describe("a difference as text", () => {
  it("keeps what is near a change, and folds what is not", () => {
    const before = numbered(1, 20);
    const after = before.with(9, "changed");
    assert.deepEqual(diffTexts(textOf(before), textOf(after)), [
      { kind: "folded", lines: numbered(1, 6) },
      { kind: "same", lines: numbered(7, 9) },
      { kind: "removed", lines: ["line 10"] },
      { kind: "added", lines: ["changed"] },
      { kind: "same", lines: numbered(11, 13) },
      { kind: "folded", lines: numbered(14, 20) },
    ]);
  });

  it("folds no stretch that is as short as its fold", () => {
    const before = numbered(1, 9);
    const parts = diffTexts(textOf(before), textOf(before.with(0, "a").with(8, "b")));
    assert.deepEqual(
      parts?.map(({ kind, lines }) => [kind, lines.length]),
      [
        ["removed", 1],
        ["added", 1],
        ["same", 7],
        ["removed", 1],
        ["added", 1],
      ],
    );
  });

  it("has one folded stretch where nothing differs, and one of each where everything does", () => {
    const text = textOf(numbered(1, 5));
    assert.deepEqual(diffTexts(text, text), [{ kind: "folded", lines: numbered(1, 5) }]);
    assert.deepEqual(
      diffTexts("a\n", "b\n")?.map(({ kind }) => kind),
      ["removed", "added"],
    );
  });

  it("gives up on texts that have too little in common", () => {
    const lines = (letter: string) => textOf(Array.from({ length: 60_000 }, (_, index) => `${letter} ${index}`));
    assert.equal(diffTexts(lines("a"), lines("b")), undefined);
  });

  it("does not depend on the order of keys", () => {
    const one = { weft: 1, nodes: [{ config: { b: 1, a: [{ y: null, x: "" }] }, label: "A", id: "a" }] };
    const other = { nodes: [{ id: "a", label: "A", config: { a: [{ x: "", y: null }], b: 1 } }], weft: 1 };
    assert.equal(toStableText(one), toStableText(other));
    assert.match(toStableText(one), /\{\n {6}"id": "a",\n {6}"label": "A",\n {6}"config": \{\n {8}"a": \[/);
  });
});
