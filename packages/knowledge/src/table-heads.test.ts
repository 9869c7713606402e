import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject, type JsonObject } from "@weft/schema";
import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { processorMs } from "../../schema/src/testing/processor-time.ts";
import type { Chunk, SplitText } from "./chunk.ts";
import { findSplitter } from "./index.ts";

const prepared = new Map<string, Promise<SplitText>>();

async function split(name: string, text: string, config: object, metadata: JsonObject = {}): Promise<Chunk[]> {
  const splitter = findSplitter(name);
  const key = name + JSON.stringify(config);
  const preparing = prepared.get(key) ?? splitter.prepare(splitter.parseConfig(config));
  prepared.set(key, preparing);
  const splitText = await preparing;
  return [...splitText(text, metadata)].filter((chunk) => chunk !== undefined);
}

const texts = async (...given: Parameters<typeof split>) => (await split(...given)).map(({ text }) => text);

const head = "| Lamp | Height | Keeper |\n| --- | ---: | :-- |\n";
const row = (number: number) => `| Lamp no. ${number}. It is lit. | ${number} m | Mr. Ames |`;
const rows = (count: number, first = 1) => Array.from({ length: count }, (_, index) => row(first + index));
const table = head + rows(12).join("\n");

for (const name of ["recursive-character", "markdown", "token"]) {
  const size = name === "token" ? 80 : 240;

  test(`${name}: every chunk of a table begins with its head and ends with a row`, async () => {
    const chunks = await texts(name, `# Lamps\n\n${table}`, { chunkSize: size, chunkOverlap: 0 });
    assert.ok(chunks.length > 2, `${chunks.length}`);
    assert.ok(chunks[0]?.startsWith(`# Lamps\n\n${head}${row(1)}\n`), chunks[0]);
    for (const chunk of chunks.slice(1)) assert.ok(chunk.startsWith(`${head}| Lamp no.`), chunk);
    const bodies = chunks.map((chunk, index) => (index === 0 ? chunk : chunk.slice(head.length)));
    assert.equal(bodies.join("\n"), `# Lamps\n\n${table}`);
  });

  test(`${name}: overlap repeats rows, and the head once`, async () => {
    const chunks = await texts(name, table, { chunkSize: size, chunkOverlap: Math.floor(size / 3) });
    for (const [index, chunk] of chunks.entries()) {
      assert.equal(chunk.split(head).length, 2, chunk);
      const last = chunks[index - 1]?.split("\n").at(-1) ?? "";
      assert.ok(index === 0 || chunk.startsWith(`${head}${last}\n`), `${last} is not repeated in ${chunk}`);
    }
  });

  test(`${name}: a head longer than a third of a chunk is not repeated, and rows stay whole`, async () => {
    const chunks = await texts(name, table, { chunkSize: name === "token" ? 40 : 120, chunkOverlap: 0 });
    assert.ok(chunks.length > 4);
    assert.equal(chunks.filter((chunk) => chunk.includes("Keeper")).length, 1);
    for (const chunk of chunks.slice(1)) assert.match(chunk, /^\| Lamp no.*\|$/s);
  });

  test(`${name}: the lines of a chunk are those of its rows`, async () => {
    const chunks = await split(name, table, { chunkSize: size, chunkOverlap: size / 4 });
    const lines = table.split("\n");
    assert.ok(chunks.length > 2);
    for (const [index, { text, metadata }] of chunks.entries()) {
      const { from, to } = linesOf(metadata);
      assert.equal(text, `${index === 0 ? "" : head}${lines.slice(from - 1, to).join("\n")}`);
    }
    assert.equal(linesOf(chunks.at(-1)?.metadata).to, 14);
  });

  test(`${name}: a row that is longer than a chunk is cut, and the next one has the head`, async () => {
    const long = `| Lamp no. 2 | ${"It is lit at dusk. ".repeat(30)} | Mr. Ames |`;
    const chunks = await texts(name, `${head}${row(1)}\n${long}\n${rows(3, 3).join("\n")}`, {
      chunkSize: size,
      chunkOverlap: 0,
    });
    assert.ok(chunks.some((chunk) => chunk.startsWith(`${head}| Lamp no. 2 | It is lit`)));
    assert.ok(chunks.some((chunk) => chunk.startsWith("It is lit at dusk.")));
    assert.ok(chunks.at(-1)?.includes(row(5)));
  });

  for (const [what, text] of [
    ["code", `\`\`\`\n${table}\n\`\`\``],
    ["lines with fewer columns below them", table.replace("| --- | ---: | :-- |", "| --- | --- |")],
    ["rows of bars without a head", rows(14).join("\n")],
  ] as const) {
    test(`${name}: nothing is repeated in ${what}`, async () => {
      const chunks = await texts(name, text, { chunkSize: size, chunkOverlap: 0 });
      assert.ok(chunks.length > 2);
      for (const line of text.split("\n")) {
        const times = chunks
          .join("\n")
          .split("\n")
          .filter((one) => one === line).length;
        assert.ok(times <= text.split("\n").filter((one) => one === line).length, line);
      }
    });
  }
}

function linesOf(metadata: JsonObject | undefined): { from: number; to: number } {
  const loc = metadata?.loc;
  const lines = isJsonObject(loc) ? loc.lines : undefined;
  assert.ok(isJsonObject(lines) && typeof lines.from === "number" && typeof lines.to === "number");
  return { from: lines.from, to: lines.to };
}

test("a table without bars at its ends, in a page, in a sheet", async () => {
  const bare = "Lamp | Height\n--- | ---\nNorth | 12 m\nSouth | 30 m\nEast | 7 m\nWest | 9 m\nMole | 11 m\nReef | 5 m";
  const settings = { chunkSize: 76, chunkOverlap: 0 };
  assert.deepEqual(await texts("markdown", bare, settings), [
    "Lamp | Height\n--- | ---\nNorth | 12 m\nSouth | 30 m\nEast | 7 m\nWest | 9 m",
    "Lamp | Height\n--- | ---\nMole | 11 m\nReef | 5 m",
  ]);
  const page = `<table>${["Lamp Height", "North 12", "South 30", "East 7", "West 9", "Mole 11", "Reef 5"]
    .map((line) => `<tr><td>${line.replace(" ", "</td><td>")}</td></tr>`)
    .join("")}</table>`;
  assert.deepEqual(await texts("html", page, { chunkSize: 105, chunkOverlap: 0 }), [
    "| Lamp | Height |\n| --- | --- |\n| North | 12 |\n| South | 30 |\n| East | 7 |\n| West | 9 |\n| Mole | 11 |",
    "| Lamp | Height |\n| --- | --- |\n| Reef | 5 |",
  ]);
  const sheet = "Lamps of 2026\n\t\tas measured\nLamp\tHeight\nNorth\t12\nSouth\t30\nEast\t7\nWest\t9";
  assert.deepEqual(await texts("recursive-character", sheet, { chunkSize: 56, chunkOverlap: 0 }, { sheet: "Lamps" }), [
    "Lamps of 2026\n\t\tas measured\nLamp\tHeight\nNorth\t12",
    "Lamp\tHeight\nSouth\t30\nEast\t7\nWest\t9",
  ]);
  for (const [numbers, chunkSize] of [
    ["1\t2\n3\t4\n5\t6\n7\t8", 13],
    ["2026-01-31\t12\n".repeat(6).trim(), 60],
  ] as const) {
    const chunks = await texts("recursive-character", numbers, { chunkSize, chunkOverlap: 0 }, { sheet: "Lamps" });
    assert.ok(chunks.length > 1);
    assert.equal(chunks.join("\n"), numbers);
  }
  const code = `const lamps = \`\n${table}\n\`;`;
  const chunks = await texts("code", code, { language: "ts", chunkSize: 240, chunkOverlap: 0 });
  assert.equal(chunks.join("\n").split("Keeper").length, 2);
});

/** Texts of prose and tables, with rows of any length. */
const anyLine = fc.constantFrom(
  ...[
    "| a | b |",
    "|---|:-:|",
    "a | b",
    "-|-",
    "| one two. Three | 漢字。😀 |",
    `| ${"x".repeat(30)} | y |`,
    "prose. More",
  ],
  ...["", "# Head", "```", "  | c | d |", "| a | b |\r", "| --- | --- |\r"],
);
const anyTables = fc.array(anyLine, { maxLength: 30 }).map((lines) => lines.join("\n"));

test("with tables, too, no chunk is too long, none is broken, and every letter of the text is there", async () => {
  const tokenizer = new Tiktoken(cl100k);
  await fc.assert(
    fc.asyncProperty(anyTables, fc.constantFrom(8, 20, 41, 60, 90), fc.nat(3), async (text, chunkSize, quarters) => {
      const settings = { chunkSize, chunkOverlap: Math.floor((chunkSize * quarters) / 4) };
      for (const name of ["recursive-character", "markdown", "token"]) {
        const chunks = await texts(name, text, settings);
        for (const chunk of chunks) {
          const size = name === "token" ? tokenizer.encode(chunk, [], []).length : chunk.length;
          assert.ok(size <= chunkSize, `${name}: ${size} > ${chunkSize}: ${chunk}`);
          assert.ok(chunk.isWellFormed() && chunk === chunk.trim(), chunk);
        }
        const shown = new Set(chunks.join("\n"));
        for (const letter of text)
          assert.ok(letter.trim() === "" || shown.has(letter), `${name}: ${letter} is missing`);
      }
    }),
    { numRuns: 60 },
  );
});

test("a megabyte of tables takes moments", async () => {
  const shapes = {
    table: `${head}${`${row(1)}\n`.repeat(24_000)}`,
    tables: `${head}${row(1)}\n\n`.repeat(12_000),
    heads: "|a|\n|-|\n\n".repeat(110_000),
    row: `${head}| ${"x ".repeat(500_000)} |`,
    delimiters: `|a|\n${"|-".repeat(500_000)}`,
  };
  for (const [shape, text] of Object.entries(shapes)) {
    for (const name of ["recursive-character", "markdown", "token"]) {
      const started = processorMs();
      const part = name === "token" ? text.slice(0, 300_000) : text;
      const chunks = await texts(name, part, {});
      const tookMs = processorMs() - started;
      assert.ok(tookMs < 6_000, `${name} took ${tookMs} ms for ${shape}`);
      assert.ok(chunks.length > 100);
    }
  }
});
