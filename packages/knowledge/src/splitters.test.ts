import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { z } from "zod";
import { processorMs } from "../../schema/src/testing/processor-time.ts";
import type { Chunk } from "./chunk.ts";
import { findSplitter, splitters } from "./index.ts";

const names = ["recursive-character", "character", "markdown", "code"] as const;

async function split(name: string, text: string, config: object = {}): Promise<Chunk[]> {
  const splitter = findSplitter(name);
  const splitText = await splitter.prepare(splitter.parseConfig(config));
  return [...splitText(text, {})].filter((chunk) => chunk !== undefined);
}

const texts = async (name: string, text: string, config: object = {}) =>
  (await split(name, text, config)).map((chunk) => chunk.text);

/** Prose with everything that a cut must respect: emoji, blanks, headings, fences, sentences, CJK. */
const parts = [
  "word",
  " ",
  "\n",
  "\n\n",
  ". ",
  "😀",
  "# Head\n",
  "```\n",
  "漢字。",
  "ünï",
  "x".repeat(40),
  "\r\n",
  "\t",
];
const anyText = fc.array(fc.constantFrom(...parts), { maxLength: 120 }).map((list) => list.join(""));
const anySize = fc.integer({ min: 1, max: 60 });

function settings(name: string, chunkSize: number, chunkOverlap: number) {
  return { chunkSize, chunkOverlap, ...(name === "code" && { language: "ts" }) };
}

for (const name of names) {
  test(`${name}: no chunk is too long, none is broken, and together they are the text`, async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anySize, fc.nat(59), async (text, chunkSize, overlap) => {
        const chunkOverlap = Math.min(overlap, chunkSize - 1);
        const chunks = await texts(name, text, settings(name, chunkSize, chunkOverlap));
        /** Up to where the text may be covered: a chunk may stand in several places. */
        let ends = new Set([0]);
        for (const chunk of chunks) {
          assert.ok(chunk.length <= chunkSize || (chunkSize === 1 && chunk === "😀"), `${chunk.length} > ${chunkSize}`);
          assert.ok(chunk.isWellFormed());
          assert.equal(chunk, chunk.trim());
          ends = new Set([...ends].flatMap((covered) => endsAfter(text, chunk, { covered, chunkOverlap })));
          assert.ok(ends.size > 0, `a gap, or too much repeated, before ${JSON.stringify(chunk)}`);
        }
        assert.ok(
          [...ends].some((covered) => text.slice(covered).trim() === ""),
          "the end of the text is missing",
        );
      }),
      { numRuns: 300 },
    );
  });
}

/** Where the chunk may end: it leaves out only white space, repeats at most the overlap, and has something new. */
function endsAfter(
  text: string,
  chunk: string,
  { covered, chunkOverlap }: { covered: number; chunkOverlap: number },
): number[] {
  const ends: number[] = [];
  const first = Math.max(0, covered - chunkOverlap);
  for (let at = text.indexOf(chunk, first); at !== -1; at = text.indexOf(chunk, at + 1)) {
    if (text.slice(covered, at).trim() !== "") break;
    if (at + chunk.length > covered) ends.push(at + chunk.length);
  }
  return ends;
}

test("token: no chunk has too many tokens, and together they are the text", async () => {
  const tokenizer = new Tiktoken(cl100k);
  const prepared = new Map<number, Awaited<ReturnType<typeof splitters.token.prepare>>>();
  for (let chunkSize = 1; chunkSize <= 20; chunkSize += 1) {
    const config = splitters.token.parseConfig({ chunkSize, chunkOverlap: Math.floor(chunkSize / 3) });
    prepared.set(chunkSize, await splitters.token.prepare(config));
  }
  fc.assert(
    fc.property(
      fc.oneof(anyText, fc.string({ unit: "binary", maxLength: 200 })),
      fc.integer({ min: 1, max: 20 }),
      (text, chunkSize) => {
        const sound = text.toWellFormed();
        const chunks = [...(prepared.get(chunkSize)?.(sound, {}) ?? [])].filter((chunk) => chunk !== undefined);
        for (const { text: chunk } of chunks) {
          const count = tokenizer.encode(chunk, [], []).length;
          assert.ok(count <= chunkSize || [...chunk].length === 1, `${count} > ${chunkSize}: ${JSON.stringify(chunk)}`);
          assert.ok(chunk.isWellFormed() && sound.includes(chunk));
        }
        const letters = new Set(sound.replace(/\s/g, ""));
        for (const letter of chunks.flatMap(({ text: chunk }) => [...chunk])) letters.delete(letter);
        assert.deepEqual(
          [...letters].filter((letter) => letter.trim() !== "" && [...sound].includes(letter)),
          [],
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("token: chunks are as large as they may be, and repeat what they may", async () => {
  const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(" ");
  const tokenizer = new Tiktoken(cl100k);
  const chunks = await texts("token", text, { chunkSize: 30, chunkOverlap: 9 });
  for (const chunk of chunks.slice(0, -1)) assert.ok(tokenizer.encode(chunk).length >= 27);
  for (const [index, chunk] of chunks.slice(1).entries()) {
    const first = chunk.split(" ", 1)[0] ?? "";
    assert.ok(chunks[index]?.includes(first), "the next chunk begins within the last one");
  }
  assert.deepEqual(await texts("token", "<|endoftext|> is text"), ["<|endoftext|> is text"]);
  assert.equal((await texts("token", "Größe", { encodingName: "gpt2" })).join(), "Größe");
});

test("recursive-character: paragraphs stay whole, then lines, then sentences, then words", async () => {
  assert.deepEqual(
    await texts("recursive-character", "One two.\n\nThree four. Five six.\n\nSeven", { chunkSize: 14 }),
    ["One two.", "Three four.", "Five six.", "Seven"],
  );
  assert.deepEqual(await texts("recursive-character", "a b\r\n\r\nc d", { chunkSize: 4 }), ["a b", "c d"]);
});

test("overlap repeats whole pieces of the chunk before", async () => {
  assert.deepEqual(await texts("recursive-character", "aa bb cc dd ee", { chunkSize: 9, chunkOverlap: 3 }), [
    "aa bb cc",
    "cc dd ee",
  ]);
  assert.deepEqual(await texts("character", "abcdefgh", { chunkSize: 4, chunkOverlap: 2 }), ["abcd", "cdef", "efgh"]);
});

test("separators can be chosen, as a list or as its JSON text", async () => {
  for (const separators of [["|"], '["|"]', "|"]) {
    assert.deepEqual(await texts("recursiveCharacterTextSplitter", "a b|c d", { chunkSize: 4, separators }), [
      "a b",
      "|c d",
    ]);
  }
  assert.deepEqual(await texts("character", "a b\nc d", { chunkSize: 4, separator: "\\n" }), ["a b", "c d"]);
});

test("every chunk says on which lines it stands", async () => {
  const chunks = await split("recursive-character", "one\ntwo\n\nthree\nfour\n\n\nfive", { chunkSize: 10 });
  assert.deepEqual(
    chunks.map((chunk) => [chunk.text, chunk.metadata.loc]),
    [
      ["one\ntwo", { lines: { from: 1, to: 2 } }],
      ["three\nfour", { lines: { from: 4, to: 5 } }],
      ["five", { lines: { from: 8, to: 8 } }],
    ],
  );
});

const guide = "# Guide\n\nIntro\n\n## Set up\n\n```sh\n# no heading\n```\n\n### Linux\n\napt\n\n## Use ##\n\nrun";

test("markdown: a chunk knows its headings, and code holds none", async () => {
  const chunks = await split("markdown", guide, { chunkSize: 30, splitByHeadings: "h6" });
  assert.deepEqual(
    chunks.map((chunk) => [chunk.text, chunk.metadata.headings]),
    [
      ["# Guide\n\nIntro", ["Guide"]],
      ["## Set up", ["Guide", "Set up"]],
      ["```sh\n# no heading\n```", ["Guide", "Set up"]],
      ["### Linux\n\napt", ["Guide", "Set up", "Linux"]],
      ["## Use ##\n\nrun", ["Guide", "Use"]],
    ],
  );
});

test("markdown: sections are cut at headings of the chosen level, or put together", async () => {
  assert.equal((await texts("markdownTextSplitter", guide, { splitByHeaders: "h1" })).length, 1);
  assert.equal((await texts("markdownTextSplitter", guide, { splitByHeaders: "h2" })).length, 3);
  assert.equal((await texts("markdown", guide)).length, 1);
});

test("html: a page becomes Markdown and is cut at its headings", async () => {
  const page =
    "<html><head><title>T</title><style>p{}</style></head><body><h1>A &amp; B</h1><p>One <b>two</b>.</p><script>x</script>" +
    "<ul><li>x<ul><li>y</li></ul></li></ul><h2>C</h2><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>a|b</td></tr></table>" +
    "<pre>  a\n  b\n</pre><blockquote><p>q</p></blockquote>";
  const chunks = await split("htmlToMarkdownTextSplitter", page, { splitByHeaders: "h2" });
  assert.deepEqual(chunks, [
    { text: "# A & B\n\nOne **two**.\n\n- x\n  - y", metadata: { headings: ["A & B"] } },
    {
      text: "## C\n\n| k | v |\n| --- | --- |\n| 1 | a\\|b |\n\n```\n  a\n  b\n```\n\n> q",
      metadata: { headings: ["A & B", "C"] },
    },
  ]);
});

test("html: a page nested without end is cut as text", async () => {
  const chunks = await texts("html", `${"<b>".repeat(5_000)}deep`, { chunkSize: 100 });
  assert.ok(chunks.length > 100 && chunks.every((chunk) => chunk.length <= 100));
});

test("code: functions stay whole", async () => {
  const source = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
  assert.deepEqual(await texts("codeTextSplitter", source, { language: "python", chunkSize: 30 }), [
    "def one():\n    return 1",
    "def two():\n    return 2",
  ]);
});

test("a long page gives its caller moments to pause while its Markdown is made", async () => {
  const shapes = {
    paragraphs: "<p>Some <b>words</b> of a page.</p>".repeat(20_000),
    list: `<ul>${"<li>An item</li>".repeat(20_000)}</ul>`,
    table: `<table>${"<tr><td>A cell</td><td>Another</td></tr>".repeat(20_000)}</table>`,
    quotation: `<blockquote>${"<p>Words</p>".repeat(20_000)}</blockquote>`,
  };
  const splitText = await findSplitter("html").prepare(findSplitter("html").parseConfig({}));
  for (const [shape, text] of Object.entries(shapes)) {
    const steps = [...splitText(text, {})];
    const pauses = steps.findIndex((step) => step !== undefined);
    assert.ok(pauses > 40, `${pauses} for the ${shape}`);
    assert.ok(steps.slice(pauses).every((step) => step !== undefined));
  }
});

test("two megabytes of any shape take moments", async () => {
  const shapes = {
    prose: "The quick brown fox jumps over the lazy dog. It rests.\n\n".repeat(36_000),
    unbroken: "x".repeat(2_000_000),
    lines: "a\n".repeat(1_000_000),
    blank: " ".repeat(2_000_000),
    paragraphs: `${"y".repeat(5_000)}\n\n`.repeat(400),
  };
  for (const [shape, text] of Object.entries(shapes)) {
    for (const name of ["recursive-character", "markdown", "token"]) {
      const started = processorMs();
      const prepared = await findSplitter(name).prepare(findSplitter(name).parseConfig({}));
      let count = 0;
      // The tokenizer itself takes a second and more for a megabyte.
      const part = name === "token" ? text.slice(0, 1_000_000) : text;
      for (const _chunk of prepared(part, {})) count += 1;
      const tookMs = processorMs() - started;
      assert.ok(tookMs < 6_000, `${name} took ${tookMs} ms for ${shape}`);
      assert.ok(shape === "blank" || count > 100);
    }
  }
});

test("settings come as form text, under the names of existing clients", () => {
  const { parseConfig } = findSplitter("tokenTextSplitter");
  assert.deepEqual(parseConfig('{ "chunkSize": "500", "chunkOverlap": "", "encodingName": "gpt2", "other": 1 }'), {
    chunkSize: 500,
    encoding: "gpt2",
  });
  assert.deepEqual(findSplitter("markdown").parseConfig(undefined), { chunkSize: 1000, splitByHeadings: "disabled" });
});

test("settings that cannot be used are refused with the reason", () => {
  const refused = (name: string, config: unknown, reason: RegExp) =>
    assert.throws(
      () => findSplitter(name).parseConfig(config),
      (error) => {
        assert.ok(error instanceof WeftError && error.code === "parameters-invalid");
        return reason.test(error.message);
      },
    );
  refused("character", { chunkSize: 100, chunkOverlap: 100 }, /config\.chunkOverlap: The overlap must be smaller/);
  refused("character", { chunkSize: "many" }, /splitter "character" cannot be used\. config\.chunkSize/);
  refused("code", {}, /config\.language/);
  refused("token", "{", /must be a JSON object/);
  assert.throws(() => findSplitter("latex"), /No splitter is called "latex"\. Use one of: recursive-character/);
});

test("every splitter is registered under its name, and describes its settings", () => {
  for (const [name, splitter] of Object.entries(splitters)) {
    assert.equal(splitter.name, name);
    const { properties = {} } = z.toJSONSchema(splitter.config, { io: "input" });
    for (const [key, setting] of Object.entries(properties)) {
      assert.ok(typeof setting === "object" && setting.title, `${name}.${key} has no title`);
    }
  }
});

const japanese =
  "東京都の図書館では、誰でも本を借りることができます。利用者カードを作ってください。開館時間は九時からです。";

for (const [what, name, text, config, expected] of [
  [
    "recursive: sentences over lines",
    "recursive-character",
    "The lamp is\nlit at dusk. It is put\nout at dawn. Ships see it.",
    { chunkSize: 36, chunkOverlap: 0 },
    ["The lamp is\nlit at dusk.", "It is put\nout at dawn. Ships see it."],
  ],
  [
    "recursive: a small letter goes on",
    "recursive-character",
    "Some fruit, e.g. apples and pears. Others (see p. 7) do not.",
    { chunkSize: 40, chunkOverlap: 0 },
    ["Some fruit, e.g. apples and pears.", "Others (see p. 7) do not."],
  ],
  [
    "recursive: quotes stay with their sentence",
    "recursive-character",
    '"Is it lit?" He asked. "It is!"',
    { chunkSize: 14, chunkOverlap: 0 },
    ['"Is it lit?"', "He asked.", '"It is!"'],
  ],
  [
    "recursive: Japanese sentences",
    "recursive-character",
    japanese,
    { chunkSize: 30, chunkOverlap: 0 },
    ["東京都の図書館では、誰でも本を借りることができます。", "利用者カードを作ってください。開館時間は九時からです。"],
  ],
  [
    "recursive: no cut within a Japanese word",
    "recursive-character",
    "図書館利用者カード作成",
    { chunkSize: 5, chunkOverlap: 0 },
    ["図書館利用", "者カード", "作成"],
  ],
  [
    "token: sentences",
    "token",
    "The lamp is lit at dusk. It is put out at dawn by the keeper. Ships see it from far away.",
    { chunkSize: 12, chunkOverlap: 0 },
    ["The lamp is lit at dusk.", "It is put out at dawn by the keeper.", "Ships see it from far away."],
  ],
] as const) {
  test(`splitters end at sentences and words: ${what}`, async () => {
    assert.deepEqual(await texts(name, text, config), expected);
  });
}

test("splitters end at sentences and words: token, no cut within a Japanese word", async () => {
  const words = [...new Intl.Segmenter("ja", { granularity: "word" }).segment(japanese)].map(({ index }) => index);
  const chunks = await texts("token", japanese, { chunkSize: 9, chunkOverlap: 0 });
  assert.equal(chunks.join(""), japanese);
  let at = 0;
  for (const chunk of chunks) {
    assert.ok(words.includes(at), chunk);
    at += chunk.length;
  }
});

const heading = "## The keeper";
const sentences = "He lights the lamp at dusk. He puts it out at dawn. He sleeps by day.";

for (const [name, chunkSize] of [
  ["recursive-character", 110],
  ["markdown", 110],
  ["token", 26],
] as const) {
  test(`a heading stays with what it heads: ${name}`, async () => {
    for (const gap of ["\n\n", "\n", "\r\n\r\n"]) {
      const text = `The lamp stands on the rock. Ships see it from afar, and know where they are.${gap}${heading}${gap}${sentences}`;
      const chunks = await texts(name, text, { chunkSize, chunkOverlap: 0 });
      assert.ok(chunks.length > 1);
      assert.ok(
        chunks.some((chunk) => chunk.includes(`${heading}${gap}He lights the lamp at dusk.`)),
        JSON.stringify(chunks),
      );
      assert.ok(chunks.every((chunk) => !chunk.endsWith(heading)));
    }
  });
}

test("markdown: a heading follows the heading above it, and stands alone before code that is too long for both", async () => {
  const nested = `${sentences}\n\n# One\n\n## Two\n\n${sentences}`;
  assert.ok(
    (await texts("markdown", nested, { chunkSize: 90, chunkOverlap: 0 })).at(-1)?.startsWith("# One\n\n## Two"),
  );
  const code = "```\nabc\ndef\n```";
  assert.deepEqual(await texts("markdown", `## Code\n\n${code}`, { chunkSize: 18, chunkOverlap: 0 }), [
    "## Code",
    code,
  ]);
});

test("token: where no sentence ends, a line does", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `| row ${index} | ${index * 7} |`).join("\n");
  const chunks = await texts("token", rows, { chunkSize: 50, chunkOverlap: 0 });
  assert.ok(chunks.length > 2);
  assert.ok(chunks.every((chunk) => /^\|.*\|$/s.test(chunk)));
});
