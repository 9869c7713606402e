import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();
const rtf = (body: string, head = "\\ansi\\ansicpg1252") => Buffer.from(`{\\rtf1${head}${body}}`, "latin1");
const fonts =
  "{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}{\\f3\\fcharset2 Symbol;}{\\f4\\cpg1250 CE;}}";
const sheet = "{\\stylesheet{\\s0 Normal;}{\\s1 heading 2;}{\\s2\\sbasedon1 Mine;}{\\s3 Title;}{\\*\\cs9 Char;}}";
const row = (...cells: string[]) => `\\trowd\\cellx1\\cellx2\\pard\\intbl ${cells.join("\\cell ")}\\cell\\row`;

for (const [what, body, expected] of [
  [
    "paragraphs, breaks and signs",
    "One\\par Two\\line three\\tab four\\~\\emdash\\lquote x\\rquote\\-y\\_z\\\nLast\\{\\}\\\\",
    "One\n\nTwo\nthree\tfour\u00a0—‘x’y-z\n\nLast{}\\",
  ],
  ["what stands on several lines", "One lam\r\np is\n lit", "One lamp is lit"],
  ["bytes in the code page of the document", "caf\\'e9 \\'93x\\'94", "café “x”"],
  [
    "bytes in the code page of their font",
    `${fonts}\\f1\\'cf\\'f0\\'e8\\'e2\\'e5\\'f2 \\f0\\'e9 {\\f4\\'b9}\\f3\\'b7`,
    "Привет é ą•",
  ],
  [
    "characters of two bytes, the second one a letter",
    `${fonts}\\f2\\'83e\\'83X\\'83g\\'93\\'fa\\'96\\{`,
    "テスト日本",
  ],
  [
    "Unicode with what stands for it",
    "\\uc1\\u8364?{\\uc2\\u26085\\'93\\'fa\\u26412??}\\u-10179?\\u-8704?\\uc0\\u33!",
    "€日本😀!!",
  ],
  ["a word behind Unicode is not what stands for it", "\\u65\\par b", "A\n\nb"],
  [
    "headings by the names of styles and by levels",
    `${sheet}\\s3 Report\\par\\pard\\s1 The lamp\\par\\pard\\s2 Oil\\par\\pard\\outlinelevel2 Wick\\par\\pard\\outlinelevel9 Text\\par`,
    "# Report\n\n## The lamp\n\n## Oil\n\n### Wick\n\nText",
  ],
  [
    "lists",
    "{\\listtext 1.\\tab}\\ls1 Oil\\par{\\listtext 2.\\tab}Wick\\par{\\pntext\\'b7\\tab}\\ilvl1 cotton\\par\\pard Text\\par{\\listtext 1.\\tab}\\ls1 Again\\par{\\listtext 5.\\tab}\\ls2 Five",
    "1. Oil\n2. Wick\n   - cotton\n\nText\n\n1. Again\n5. Five",
  ],
  [
    "tables",
    `Before\\par${row("Item", "Price")}${row("Oil\\par lamp", "")}\\pard After`,
    "Before\n\n| Item | Price |\n| --- | --- |\n| Oil lamp |  |\n\nAfter",
  ],
  [
    "tables within cells as text of these",
    `\\trowd\\pard\\intbl a {\\itap2 in\\nestcell ner\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}}\\cell b\\cell\\row`,
    "| a in ner | b |\n| --- | --- |",
  ],
  [
    "a cell in no row, and tables behind it",
    `a\\cell\\row b\\par${row("c", "d")}`,
    "a\n\nb\n\n| c | d |\n| --- | --- |",
  ],
  ["a table that ends without its last row", "\\trowd\\pard\\intbl a\\cell b\\cell", "| a | b |\n| --- | --- |"],
  [
    "links",
    '{\\field{\\*\\fldinst{HYPERLINK "https://example.org/a)"}}{\\fldrslt the {\\b site}}} and {\\field{\\*\\fldinst HYPERLINK "file:///etc/passwd"}{\\fldrslt file}}{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}',
    "[the site](https://example.org/a%29) and file7",
  ],
  [
    "notes at the end",
    "Lit{\\*\\footnote \\chftn At dusk.\\par By hand.} now{\\footnote Ever}.",
    "Lit[1] now[2].\n\n[1] At dusk.\nBy hand.\n[2] Ever",
  ],
  ["no hidden or deleted text", "a{\\v hidden}b\\v c\\v0 d{\\deleted gone}\\v e\\plain f", "abdf"],
  [
    "nothing for other readers, and no data",
    "a{\\*\\unknown b}{\\header c}{\\pict\\pngblip 89504e}{\\object{\\*\\objdata 0105}{\\result shown}}{\\*\\bkmkstart x}{\\annotation d}",
    "ashown",
  ],
  ["binary data is passed over", "a{\\pict\\bin5 }}}}}b}c", "ac"],
  ["text in two forms once", "{\\upr{?}{\\*\\ud{\\u8364}}}", "€"],
  ["text boxes", "a {\\shp{\\*\\shpinst{\\sp{\\sn fill}{\\sv 1}}{\\shptxt box}}}", "a box"],
] as const) {
  test(`RTF: ${what}`, async () => assert.equal(await reader.text("a.rtf", rtf(body)), expected));
}

test("RTF: encodings of whole documents", async () => {
  assert.equal(
    await reader.text("a.rtf", rtf("\\'cc\\'e8\\'f0", "\\ansi\\ansicpg1251{\\fonttbl{\\f0\\fcharset0 A;}}\\f0")),
    "Мир",
  );
  assert.equal(await reader.text("a.rtf", rtf("\\'c4\\'e3", "\\ansi\\ansicpg936")), "你");
  assert.equal(await reader.text("a.rtf", rtf("\\'8e", "\\mac")), "é");
  assert.equal(await reader.text("a.rtf", rtf("\\'e9", "\\ansi\\ansicpg99999")), "é");
});

test("RTF: the title, and what RTF is", async () => {
  const content = await reader.read("a.doc", rtf("{\\info{\\title The \\'93lamp\\'94}{\\author Ann}}Lit"));
  assert.deepEqual(content, {
    format: "rtf",
    metadata: { title: "The “lamp”" },
    sections: [{ text: "Lit", metadata: {} }],
  });
  assert.equal((await reader.read("a", rtf("x"), "application/rtf")).format, "rtf");
  await reader.refuses("a.rtf", "plain text", /it is called rtf, and its content is not/);
  await reader.refuses("a.rtf", rtf("{\\pict 00}"), /it contains no text/);
});

test("RTF: damaged and hostile files", async () => {
  assert.equal(await reader.text("a.rtf", "{\\rtf1 cut {\\b here"), "cut here");
  assert.equal(await reader.text("a.rtf", "{\\rtf1 more}} closed}"), "more closed");
  assert.equal(await reader.text("a.rtf", "{\\rtf1 a\\bin999999999999 b}"), "a");
  assert.equal(await reader.text("a.rtf", "{\\rtf1 a\\bin-5 b\\'zz\\u4294967361?\\ilvl-7\\uc-3\\f99999 c\\"), "abzzAc");
  await reader.refuses("a.rtf", rtf("{".repeat(100_000)), /nested more than 5000 levels deep/);
  const small = openTestReader({ textCharacters: 10 });
  await small.refuses("a.rtf", rtf("more than ten"), /longer than 10 characters/);
});
