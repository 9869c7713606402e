import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import { createDocumentReader } from "./index.ts";
import { buildDocx, buildRelations, buildXlsx, buildZip, wordParagraph } from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";
import { buildZipBomb, directoryEntryOf } from "./testing/zip-bomb.ts";

const reader = openTestReader();
const signal = new AbortController().signal;
const sound = buildDocx({ body: wordParagraph("sound") });
const text = (name: string, content: string) => ({ name, bytes: Buffer.from(content) });

function flip(bytes: Uint8Array, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
}

test("a zip bomb is not unpacked", async () => {
  const bomb = buildZipBomb();
  assert.ok(bomb.length < 1_100_000);
  await reader.refuses("a.docx", bomb, /grows beyond all measure/);
});

test("a bomb that lies about its size is unpacked no further than it says", async () => {
  const liar = buildZipBomb();
  new DataView(liar.buffer, liar.byteOffset).setUint32(directoryEntryOf(liar) + 24, 1000, true);
  await reader.refuses("a.docx", liar, /its zip archive is damaged/);
});

test("parts that are small one by one count together", async () => {
  const small = openTestReader({ unzippedBytes: 300_000 });
  const sheets = Array.from({ length: 4 }, (_, index) => ({
    name: `${index}`,
    rows: `<row><c><v>1</v></c></row>${" ".repeat(90_000)}`,
  }));
  await small.refuses("a.xlsx", buildXlsx({ sheets }), /grows beyond all measure/);
});

test("a damaged archive is refused", async () => {
  const broken = Uint8Array.from(sound);
  broken.fill(0xff, 60, 200);
  await reader.refuses("a.docx", broken, /damaged/);
  await reader.refuses("a.docx", sound.subarray(0, sound.length - 30), /its zip archive is damaged/);
  const wrongSum = Uint8Array.from(sound);
  flip(wrongSum, directoryEntryOf(wrongSum) + 16);
  await reader.refuses("a.docx", wrongSum, /its zip archive is damaged/);
  const outside = Uint8Array.from(sound);
  new DataView(outside.buffer).setUint32(directoryEntryOf(outside) + 42, 0xfffffff0, true);
  await reader.refuses("a.docx", outside, /its zip archive is damaged/);
});

test("an encrypted part and too many parts are refused", async () => {
  const locked = Uint8Array.from(sound);
  flip(locked, directoryEntryOf(locked) + 8);
  await reader.refuses("a.docx", locked, /its zip archive is encrypted/);
  const parts = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}`, ""]));
  await reader.refuses("a.docx", buildZip(parts), /more than 10000 parts/);
});

test("names in an archive are names, not paths", async () => {
  const relations = buildRelations([{ id: "r", kind: "officeDocument", target: "../../../../etc/passwd" }]);
  await reader.refuses("a.docx", buildZip({ "_rels/.rels": relations, "word/a.xml": "<a/>" }), /it contains no text/);
  const inside = buildRelations([{ id: "r", kind: "officeDocument", target: "../../x/../word/d.xml" }]);
  const odd = buildZip({ "_rels/.rels": inside, "../../word/d.xml": wordParagraph("by its name"), "word/e": "" });
  assert.equal(await reader.text("a.docx", odd), "by its name");
});

test("a sheet may have no more columns than a spreadsheet, and a workbook only so many cells and characters", async () => {
  const row = `<row r="1">${Array.from({ length: 100_000 }, (_, index) => `<c><v>${index * 7919}</v></c>`).join("")}</row>`;
  await reader.refuses("a.xlsx", buildXlsx({ sheets: [{ name: "a", rows: row }] }), /more than 16384 columns/);
  const far = '<row><c r="EQXD1"><v>1</v></c></row>';
  await reader.refuses("a.xlsx", buildXlsx({ sheets: [{ name: "a", rows: far }] }), /more than 16384 columns/);
  const sparse = Array.from({ length: 2000 }, () => '<row><c r="XFD1"><v>1</v></c></row>').join("");
  await reader.refuses(
    "a.xlsx",
    buildXlsx({ sheets: [{ name: "a", rows: sparse }] }),
    /longer than 20000000 characters/,
  );
  const few = openTestReader({ cells: 2 });
  const three = "<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>";
  await few.refuses("a.xlsx", buildXlsx({ sheets: [{ name: "a", rows: three }] }), /too many cells/);
});

test("a shared text that many cells show is limited by what it becomes", async () => {
  const rows = Array.from({ length: 1000 }, () => '<row><c t="s"><v>0</v></c></row>').join("");
  const strings = `<si><t>${"x".repeat(30_000)}</t></si>`;
  await reader.refuses(
    "a.xlsx",
    buildXlsx({ sheets: [{ name: "a", rows }], strings }),
    /longer than 20000000 characters/,
  );
});

test("elements nested without end are refused", async () => {
  await reader.refuses("a.html", "<b>".repeat(100_000), /nested more than 500 levels deep/);
  await reader.refuses("a.docx", buildDocx({ body: "<w:x>".repeat(100_000) }), /nested more than 5000 levels deep/);
});

test("a file may be only so large", async () => {
  const small = openTestReader({ inputBytes: 10 });
  await small.refuses("a.txt", "more than ten", /it is larger than 10 bytes/);
});

test("a document that takes too long is stopped, and the next one is read", async () => {
  const hasty = openTestReader({ timeoutMs: 300, workers: 1 });
  const slow = "<b>".repeat(490) + "<i></i>".repeat(2_000_000);
  await hasty.refuses("a.html", slow, /it takes longer than 300 ms/);
  const patient = openTestReader();
  assert.equal(await patient.text("a.txt", "next"), "next");
});

test("a pause of the whole process is not time that a document took", async () => {
  const hasty = openTestReader({ timeoutMs: 2_000, workers: 1 });
  assert.equal(await hasty.text("a.txt", "The worker has started."), "The worker has started.");
  const reading = hasty.text("a.html", `${"<b>".repeat(490)}${"<i></i>".repeat(50_000)}the end`);
  await new Promise((resolve) => setTimeout(resolve, 60));
  // Timers that are due come before messages when the loop goes on from here.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  assert.equal(await reading, "**the end**");
});

test("a document that is being read when the reader closes is not called unreadable", async () => {
  const closed = createDocumentReader();
  const slow = text("a.html", "<b>".repeat(490) + "<i></i>".repeat(2_000_000));
  const reading = closed.read(slow, { signal });
  const refused = assert.rejects(reading, (error) => error instanceof WeftError && error.code === "shutting-down");
  await new Promise((resolve) => setTimeout(resolve, 500));
  await closed.close();
  await refused;
});

test("a document that needs too much memory is stopped, and the next one is read", async () => {
  const small = openTestReader({ memoryBytes: 48 * 1024 * 1024, workers: 1 });
  await small.refuses("a.html", "<li>".repeat(10_000_000), /more memory than it may/);
  assert.equal(await small.text("a.txt", "next"), "next");
});

test("twenty documents at once are all read, and the caller's bytes stay his", async () => {
  const bytes = new TextEncoder().encode("before|the text|after");
  const inputs = Array.from({ length: 20 }, (_, index) => ({ name: `${index}.txt`, bytes: bytes.subarray(7, 15) }));
  const shared = createDocumentReader();
  const contents = await Promise.all(inputs.map((input) => shared.read(input, { signal })));
  assert.deepEqual([...new Set(contents.map((content) => content.sections[0]?.text))], ["the text"]);
  assert.equal(new TextDecoder().decode(bytes), "before|the text|after");
  const long = "0123456789abcde\n".repeat(200_000);
  const { sections } = await shared.read({ name: "long.txt", bytes: new TextEncoder().encode(long) }, { signal });
  assert.equal(sections[0]?.text === long, true);
  await shared.close();
});

/** A file in parts, and how many of them were asked for. */
function inParts(name: string, parts: readonly Uint8Array[], sizeBytes = Buffer.concat(parts).length) {
  const asked = { parts: 0 };
  async function* read() {
    for (const part of parts) {
      asked.parts += 1;
      yield part;
    }
  }
  return { asked, file: { name, sizeBytes, parts: read } };
}

const cut = (bytes: Uint8Array, partBytes: number) =>
  Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) =>
    Uint8Array.from(bytes.subarray(index * partBytes, (index + 1) * partBytes)),
  );

test("a file in parts is read whole; parts are moved, unless they belong to something larger", async () => {
  const inPieces = createDocumentReader({ workers: 1 });
  const larger = new TextEncoder().encode("before|the |after").slice();
  const parts = [new TextEncoder().encode("All of ").slice(), larger.subarray(7, 11), Buffer.from("file").subarray()];
  const { file } = inParts("a.txt", parts);
  assert.equal((await inPieces.read(file, { signal })).sections[0]?.text, "All of the file");
  assert.deepEqual([parts[0]?.length, parts[1]?.length], [0, 4]);
  const { file: archive } = inParts("a.docx", cut(sound, 100));
  assert.equal((await inPieces.read(archive, { signal })).sections[0]?.text, "sound");
  await inPieces.close();
});

test("a file is refused by its size, its first part and its length before the rest is kept", async () => {
  const small = createDocumentReader({ textCharacters: 100, inputBytes: 1_000 });
  const refused = async (name: string, bytes: Uint8Array, { reason, most }: { reason: RegExp; most: number }) => {
    const { file, asked } = inParts(name, cut(bytes, 10));
    await assert.rejects(
      small.read(file, { signal }),
      (error) => error instanceof WeftError && reason.test(error.message),
    );
    assert.ok(asked.parts <= most, `${asked.parts} parts were read`);
  };
  await refused("a.txt", Buffer.alloc(1_001, "a"), { reason: /larger than 1000 bytes/, most: 1 });
  await refused("a.bin", Buffer.alloc(900, 1), { reason: /unsupported format/, most: 1 });
  await refused("a.docx", Buffer.alloc(900, 1), { reason: /is called docx, and its content is not/, most: 1 });
  const tooLong = /longer than 100 characters/;
  await refused("a.txt", Buffer.alloc(900, "a"), { reason: tooLong, most: 11 });
  await refused("a.csv", Buffer.from("漢".repeat(300)), { reason: tooLong, most: 31 });
  await refused("a.json", Buffer.from(`\ufeff${"漢".repeat(400)}`, "utf16le"), { reason: tooLong, most: 21 });
  await refused("a.html", Buffer.alloc(900, "<p>"), { reason: tooLong, most: 21 });
  assert.equal(small.waiting(), 0);
  await small.close();
});

test("a text that is as long as it may be is read, whatever its encoding", async () => {
  const small = createDocumentReader({ textCharacters: 100, workers: 1 });
  const text = "漢字 and w".repeat(11).slice(0, 100);
  for (const bytes of [Buffer.from(text), Buffer.from(text, "utf16le"), Buffer.from(`\ufeff${text}`, "utf16le")]) {
    const { sections } = await small.read(inParts("a.txt", cut(bytes, 7)).file, { signal });
    assert.equal(sections[0]?.text, text);
  }
  await small.close();
});

test("a part that cannot be read fails its document alone", async () => {
  const one = createDocumentReader({ workers: 1 });
  const { file } = inParts("a.txt", [Buffer.from("half"), Buffer.from("and")], 100);
  await assert.rejects(one.read(file, { signal }), /a part of it is missing; upload it again/);
  async function* failing() {
    yield Buffer.from("half");
    throw new Error("The database is away.");
  }
  await assert.rejects(one.read({ name: "a.txt", sizeBytes: 8, parts: failing }, { signal }), /database is away/);
  assert.equal((await one.read(text("a.txt", "next"), { signal })).sections[0]?.text, "next");
  await one.close();
});

test("a text that is too long in any encoding is refused before it is decoded", async () => {
  const small = openTestReader({ textCharacters: 4 });
  assert.equal(await small.text("a.txt", "€€€€"), "€€€€");
  assert.equal(await small.text("a.txt", Buffer.from("abcd", "utf16le")), "abcd");
  assert.equal(await small.text("a.txt", Buffer.from("\ufeff低低低低", "utf16le")), "低低低低");
  for (const name of ["a.txt", "a.json", "a.csv"]) {
    await small.refuses(name, Buffer.alloc(13, 0xff), /its text is longer than 4 characters; split it/);
    await small.refuses(name, "abcde fghi", /its text is longer than 4 characters; split it/);
  }
});

test("documents that take long keep nobody else waiting", async () => {
  const shared = createDocumentReader();
  const controller = new AbortController();
  const endless = "<b>".repeat(490) + "<i></i>".repeat(2_000_000);
  const greedy = { signal: controller.signal, share: { name: "greedy", isAnonymous: true } };
  const slow = Array.from({ length: 12 }, () => shared.read(text("a.html", endless), greedy));
  const ended = Promise.allSettled(slow);
  const other = { signal, share: { name: "other", isAnonymous: true } };
  const read = shared.read(text("a.txt", "mine"), other);
  const first = await Promise.race([read, ended]);
  assert.ok("sections" in first, "the other caller's document is read first");
  controller.abort(new Error("enough"));
  await ended;
  await shared.close();
});

test("more documents than may wait are refused", async () => {
  const busy = createDocumentReader({ workers: 1, waiting: 1 });
  const reads = [1, 2, 3].map((index) => busy.read(text("a.txt", `${index}`), { signal }));
  const results = await Promise.allSettled(reads);
  assert.deepEqual(
    results.map((result) => result.status),
    ["fulfilled", "fulfilled", "rejected"],
  );
  assert.ok(results[2]?.status === "rejected" && (results[2].reason as WeftError).code === "documents-at-capacity");
  await busy.close();
});

test("who gives up is let go, waiting or reading", async () => {
  const single = createDocumentReader({ workers: 1 });
  const controllers = [new AbortController(), new AbortController()];
  const reads = controllers.map((controller) => single.read(text("a.txt", "x"), { signal: controller.signal }));
  for (const controller of controllers) controller.abort(new Error("gone"));
  for (const read of reads) await assert.rejects(read, /gone/);
  assert.equal((await single.read(text("a.txt", "next"), { signal })).sections[0]?.text, "next");
  await assert.rejects(single.read(text("a.txt", "x"), { signal: AbortSignal.abort(new Error("before")) }), /before/);
  await single.close();
});

test("a closed reader refuses, those who wait too", async () => {
  const closing = createDocumentReader({ workers: 1 });
  const reads = [closing.read(text("a.txt", "1"), { signal }), closing.read(text("a.txt", "2"), { signal })];
  const settled = Promise.allSettled(reads);
  await closing.close();
  assert.deepEqual(
    (await settled).map((result) => result.status),
    ["rejected", "rejected"],
  );
  await assert.rejects(closing.read(text("a.txt", "x"), { signal }), WeftError);
});
