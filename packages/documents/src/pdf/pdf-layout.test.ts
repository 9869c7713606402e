import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutRunningLines } from "../formats/read-pdf.ts";
import { toPageText, toUprightTexts } from "./page-text.ts";
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
    "hyphens go in lines of capitals too",
    lines(50, 700, ["WITHOUT WARRANTY OF ANY KIND, IM-", "PLIED OR NOT, FOR ANY PURPOSE"]),
    "WITHOUT WARRANTY OF ANY KIND, IMPLIED OR NOT, FOR ANY PURPOSE",
  ],
  [
    "entries of a table of contents",
    lines(50, 700, ["1 The lamp on the rock . . . . . . . 7", "The keeper of the lamp.............. xii"]),
    "1 The lamp on the rock … 7\nThe keeper of the lamp … xii",
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
  ["signs of fonts are the letters that they stand for", [[50, 700, "oﬃce ﬁre ﻻ ﻢﻨ ⽇"]], "office fire لا من 日"],
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

test("PDF: headers with the chapter and the section are left out, titles of slides are not", () => {
  const pagesOf = (count: number, header: (number: number) => Place[]) =>
    Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      height: 800,
      segments: toSegments([...header(index), [50, 700, `Text ${index}`] as Place].map(item)),
    }));
  const textsOf = (pages: ReturnType<typeof pagesOf>) =>
    withoutRunningLines(pages).map(({ segments }) => toPageText(segments));
  const book = pagesOf(12, (index) => [
    [50, 770, `CHAPTER ${"AABBCCDDEEFF"[index]}`],
    [400, index === 4 ? 774 : 770, `SECTION ${"abcdefghijkl"[index]}`],
  ]);
  assert.deepEqual(
    textsOf(book),
    book.map((_, index) => `Text ${index}`),
  );
  const slides = pagesOf(12, (index) => [[50, 770, `Title ${"aabcdefghijk"[index]}`]]);
  assert.equal(textsOf(slides)[5], "Title e\n\nText 5");
});

test("PDF: a page that has nothing but what repeats keeps it", () => {
  const pages = [1, 2, 3].map((number) => ({ number, height: 800, segments: toSegments([item([50, 770, "Blank"])]) }));
  assert.deepEqual(withoutRunningLines(pages), pages);
});

test("PDF: turned pages and turned text on them are read upright, the most text first", () => {
  const turns = [
    ([x, y]: Place) => [10, 0, 0, 10, 20 + x, 30 + y],
    ([x, y]: Place) => [0, 10, -10, 0, 20 + 600 - y, 30 + x],
    ([x, y]: Place) => [-10, 0, 0, -10, 20 + 600 - x, 30 + 800 - y],
    ([x, y]: Place) => [0, -10, 10, 0, 20 + y, 30 + 800 - x],
  ];
  const prose = [...lines(50, 500, left), [50, 440, "Last line"] as Place];
  for (const [index, turn] of turns.entries()) {
    const label = { ...item([0, 0, "Label"]), transform: (turns[(index + 1) % 4] ?? turn)([10, 100, ""]) };
    const items = [label, ...prose.map((place) => ({ ...item(place), transform: turn(place) }))];
    const texts = toUprightTexts(items, [20, 30, 620, 830]);
    assert.deepEqual(
      texts.map(({ segments }) => toPageText(segments)),
      [`${leftText}\n\nLast line`, "Label"],
    );
    assert.deepEqual(
      texts.map(({ height }) => height),
      index % 2 === 0 ? [800, 600] : [600, 800],
    );
    assert.deepEqual([texts[0]?.segments[0]?.left, texts[0]?.segments[0]?.y], [50, 500]);
  }
});
