import assert from "node:assert/strict";
import { test } from "node:test";
import { toPageText } from "./page-text.ts";
import { withoutRunningLines } from "./running-lines.ts";
import { toSegments } from "./segment.ts";

type Place = [x: number, y: number, text: string];

/** Letters of five points, in lines of ten. */
const item = ([x, y, str]: Place) => ({ str, width: str.length * 5, height: 10, transform: [10, 0, 0, 10, x, y] });
const read = (...places: Place[]) => toPageText(toSegments(places.map(item)));
const lines = (x: number, top: number, texts: string[]) =>
  texts.map((text, index): Place => [x, top - index * 12, text]);

const left = ["The lamp on the rock is lit at", "dusk and it is put out at dawn", "by the keeper who lives below."];
const right = ["Ships that pass in the night", "see its light from far away,", "and keep clear of the rocks."];
const leftText = left.join(" ");
const rightText = right.join(" ");

for (const [what, places, expected] of [
  ["lines of a paragraph are joined", lines(50, 700, left), leftText],
  ["short lines stay", lines(50, 700, ["The keeper", "Rock 1", "Sea"]), "The keeper\nRock 1\nSea"],
  ["a gap begins a paragraph", [...lines(50, 700, left), ...lines(50, 640, left)], `${leftText}\n\n${leftText}`],
  [
    "hyphens at the end of a line go",
    lines(50, 700, ["The keeper of the light-", "house was up all night."]),
    "The keeper of the lighthouse was up all night.",
  ],
  [
    "a hyphen before a name stays",
    lines(50, 700, ["The keeper of the North-", "South line was up all day"]),
    "The keeper of the North-South line was up all day",
  ],
  [
    "items of a list stay apart",
    lines(50, 700, ["• The lamp on the rock is lit", "• The keeper lives below it"]),
    "• The lamp on the rock is lit\n• The keeper lives below it",
  ],
  [
    "columns come one after the other",
    [...lines(50, 700, left), ...lines(250, 700, right)],
    `${leftText}\n\n${rightText}`,
  ],
  ["columns on different lines", [...lines(50, 700, left), ...lines(250, 695, right)], `${leftText}\n\n${rightText}`],
  [
    "what crosses columns parts them",
    [
      [50, 720, "The lighthouse on the rock, a report on its first year"],
      ...lines(50, 700, left),
      ...lines(250, 700, right),
      [50, 640, "Here begins the second part, which is about the ships"],
      ...lines(50, 620, left),
      ...lines(250, 620, right),
    ],
    [
      "The lighthouse on the rock, a report on its first year",
      leftText,
      rightText,
      "Here begins the second part, which is about the ships",
      leftText,
      rightText,
    ].join("\n\n"),
  ],
  [
    "a table keeps its empty cells",
    [
      [50, 700, "Item"],
      [150, 700, "Price"],
      [250, 700, "Note"],
      [50, 688, "Lamp"],
      [250, 688, "new"],
      [50, 676, "Oil"],
      [150, 676, "7"],
    ],
    "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp |  | new |\n| Oil | 7 |  |",
  ],
  [
    "text around a table stays text",
    [
      ...lines(50, 740, left),
      [50, 690, "Item"],
      [150, 690, "Price"],
      [50, 678, "Oil"],
      [150, 678, "7"],
      ...lines(50, 640, left),
    ],
    `${leftText}\n\n| Item | Price |\n| --- | --- |\n| Oil | 7 |\n\n${leftText}`,
  ],
  [
    "bullets set apart are no table",
    [
      [50, 700, "•"],
      [70, 700, "one"],
      [50, 688, "•"],
      [70, 688, "two"],
    ],
    "• one\n• two",
  ],
  [
    "pieces of a word and raised signs are one line",
    [
      [50, 700, "wo"],
      [60, 700, "rd"],
      [70, 703, "2"],
      [80, 700, "next"],
    ],
    "word2 next",
  ],
  [
    "Japanese lines are joined without a blank",
    lines(50, 700, ["灯台の明かりは日暮れに灯され", "夜明けに消されます。"]),
    "灯台の明かりは日暮れに灯され夜明けに消されます。",
  ],
  [
    "right-to-left pieces are read from the right",
    [
      [50, 700, "עולם"],
      [80, 700, "שלום"],
    ],
    "שלום עולם",
  ],
  [
    "right-to-left tables too",
    [
      [50, 700, "מחיר"],
      [150, 700, "פריט"],
      [50, 688, "7"],
      [150, 688, "שמן"],
    ],
    "| פריט | מחיר |\n| --- | --- |\n| שמן | 7 |",
  ],
  [
    "NUL characters and blanks go",
    [
      [50, 700, " a\0 "],
      [80, 700, "  "],
    ],
    "a",
  ],
] as const satisfies [string, Place[], string][]) {
  test(`PDF: ${what}`, () => assert.equal(read(...places), expected));
}

test("PDF: headers and footers that repeat are left out", () => {
  const pages = [1, 2, 3, 4].map((number) => ({
    number,
    height: 800,
    segments: toSegments(
      [
        [50, 770, "Annual report"],
        [50, 740, `Chapter ${number * 7}`],
        [50, 400, "The same sentence on every page"],
        [50, 30, `Page ${number + 10} of 14`],
      ].map((place) => item(place as Place)),
    ),
  }));
  assert.deepEqual(
    withoutRunningLines(pages).map(({ segments }) => toPageText(segments)),
    [7, 14, 21, 28].map((chapter) => `Chapter ${chapter}\n\nThe same sentence on every page`),
  );
  assert.deepEqual(withoutRunningLines(pages.slice(0, 2)), pages.slice(0, 2));
});

test("PDF: a page that has nothing but what repeats keeps it", () => {
  const pages = [1, 2, 3].map((number) => ({ number, height: 800, segments: toSegments([item([50, 770, "Blank"])]) }));
  assert.deepEqual(withoutRunningLines(pages), pages);
});
