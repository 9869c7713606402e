import assert from "node:assert/strict";
import { test } from "node:test";
import { toText } from "./index.ts";
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  buildZip,
  slideShape,
  wordParagraph,
  wordTable,
} from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();
const numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>';

test("DOCX: paragraphs, headings, lists, tables, notes, breaks", async () => {
  const body = [
    wordParagraph("Heading", '<w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs>'),
    "<w:p><w:r><w:t>one</w:t><w:tab/><w:t xml:space='preserve'>two </w:t></w:r><w:r><w:t>three</w:t><w:br/><w:t>four</w:t></w:r></w:p>",
    wordParagraph("first", numbered),
    wordParagraph("second", '<w:pStyle w:val="ListBullet"/>'),
    wordTable([
      ["a", "b"],
      ["", "c &lt; d"],
    ]),
    '<w:p><w:r><w:t>text</w:t><w:footnoteReference w:id="2"/></w:r></w:p>',
  ].join("");
  const footnotes = `<w:footnote w:id="-1" w:type="separator">${wordParagraph("unseen")}</w:footnote><w:footnote w:id="2">${wordParagraph("the note")}</w:footnote>`;
  const content = await reader.read("a.docx", buildDocx({ body, footnotes, title: "A title" }));
  assert.deepEqual(content, {
    format: "docx",
    sections: [
      {
        text: "# Heading\n\none\ttwo three\nfour\n\n- first\n- second\n\n| a | b |\n| --- | --- |\n|  | c < d |\n\ntext[1]\n\n[1] the note",
        metadata: {},
      },
    ],
    metadata: { title: "A title" },
  });
});

test("DOCX: what was deleted, stands twice or repeats is left out", async () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
  const body = [
    `<w:p>${run("kept")}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>${run(" added")}</w:ins></w:p>`,
    `<w:p><w:moveFrom>${run("moved away")}</w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`,
    `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${wordParagraph("in a box")}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${wordParagraph("in a box")}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>${run("around it")}</w:p>`,
  ].join("");
  assert.equal(await reader.text("a.docx", buildDocx({ body })), "kept added\n\nin a box\n\naround it");
});

test("DOCX: a table within a cell becomes text of the cell", async () => {
  const body = `<w:tbl><w:tr><w:tc>${wordParagraph("x")}${wordTable([["1", "2"]])}</w:tc><w:tc>${wordParagraph("y")}</w:tc></w:tr></w:tbl>`;
  assert.equal(await reader.text("a.docx", buildDocx({ body })), "| x 1 2 | y |\n| --- | --- |");
});

const item = (text: string, numId: number, level = 0) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`);
const styled = (text: string, style: string) => wordParagraph(text, `<w:pStyle w:val="${style}"/>`);
const level = (index: number, format: string, start = 1) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`;
const numbering = [
  `<w:abstractNum w:abstractNumId="0">${level(0, "decimal")}${level(1, "lowerLetter")}${level(2, "bullet")}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="1">${level(0, "bullet")}${level(1, "decimal", 5)}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="2">${level(0, "none")}</w:abstractNum>`,
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
  '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
  '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
  `<w:num w:numId="5"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">${level(0, "bullet")}</w:lvlOverride></w:num>`,
].join("");
const styles = [
  '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>',
  '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>',
  '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>',
  '<w:style w:styleId="Steps"><w:name w:val="Steps"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
  '<w:style w:styleId="Title"><w:name w:val="Title"/></w:style>',
].join("");

for (const [what, body, expected] of [
  ["a list that describes a level itself", item("a", 5) + item("b", 5, 1), "- a\n  1. b"],
  ["headings by name", styled("A", "Title") + styled("B", "berschrift2"), "# A\n\n## B"],
  ["headings by what a style is based on", styled("A", "Mine") + styled("B", "Loop"), "## A\n\nB"],
  ["headings by their outline level", wordParagraph("A", '<w:outlineLvl w:val="7"/>'), "###### A"],
  ["body text by its outline level", wordParagraph("A", '<w:outlineLvl w:val="9"/>'), "A"],
  ["numbers", item("a", 1) + item("b", 1), "1. a\n2. b"],
  ["numbers by style", styled("a", "Steps") + styled("b", "Steps"), "1. a\n2. b"],
  [
    "lists within lists",
    item("a", 1) + item("b", 1, 1) + item("c", 1, 2) + item("d", 1, 1) + item("e", 1) + item("f", 1, 1),
    "1. a\n   1. b\n      - c\n   2. d\n2. e\n   1. f",
  ],
  ["a number that begins elsewhere", item("a", 2) + item("b", 2, 1), "- a\n  5. b"],
  ["numbers that go on after a paragraph", item("a", 1) + wordParagraph("x") + item("b", 1), "1. a\n\nx\n\n2. b"],
  ["numbers that begin again", item("a", 1) + item("b", 3), "1. a\n7. b"],
  ["a list without marks", item("a", 4), "a"],
  ["a numbering that is taken away", item("a", 0), "a"],
  ["a list of an unknown definition, as deep as it says", item("a", 9, 99), "- a"],
  [
    "a cell over two columns",
    `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${wordParagraph("a|b")}</w:tc></w:tr><w:tr><w:tc>${wordParagraph("1")}</w:tc><w:tc>${wordParagraph("2")}</w:tc></w:tr></w:tbl>`,
    "| a\\|b |  |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["a table of one column", wordTable([["a|b"], ["c"]]), "a|b\nc"],
] as const) {
  test(`DOCX: ${what}`, async () => {
    assert.equal(await reader.text("a.docx", buildDocx({ body, numbering, styles })), expected);
  });
}

test("DOCX: links to the web stay, others are their text", async () => {
  const link = (id: string, text: string) => `<w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink>`;
  const body = `<w:p>${link("rId9", "site")}, ${link("rId3", "file")}${link("no", "none")}${link("rId9", " ")}</w:p>`;
  const text = await reader.text("a.docx", buildDocx({ body, link: "https://a.example/(b)?c=1&amp;d" }));
  assert.equal(text, "[site](https://a.example/(b%29?c=1&d)filenone");
});

test("PPTX: the outline of a slide is a list, with numbers and links", async () => {
  const paragraph = (text: string, properties = "") => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
  const shape = (paragraphs: string, mark: string) =>
    `<p:sp><p:nvSpPr><p:nvPr>${mark}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
  const outline = [
    paragraph("first"),
    paragraph("deeper", '<a:pPr lvl="1"/>'),
    paragraph("plain", "<a:pPr><a:buNone/></a:pPr>"),
    paragraph("one", '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'),
    paragraph("two", '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'),
  ].join("");
  const linked =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="rId7"/></a:rPr><a:t>site</a:t></a:r><a:r><a:t>!</a:t></a:r></a:p>';
  const shapes = [
    shape(paragraph("Plan"), '<p:ph type="ctrTitle"/>'),
    shape(outline, '<p:ph idx="1"/>'),
    shape(paragraph("aside", '<a:pPr><a:buChar char="•"/></a:pPr>') + linked, ""),
  ].join("");
  const { sections } = await reader.read("a.pptx", buildPptx([{ shapes, link: "https://a.example/" }]));
  assert.equal(
    sections[0]?.text,
    "# Plan\n\n- first\n  - deeper\n\nplain\n\n3. one\n4. two\n\n- aside\n\n[site](https://a.example/)!",
  );
});

test("XLSX: sheets in the workbook's order, every kind of cell", async () => {
  const strings = "<si><t>shared</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>reading</t></rPh></si>";
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0 &quot;days&quot;"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/></cellXfs>';
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>in\nline</t></is></c></row>',
    '<row r="3"><c r="A3"><v>0.30000000000000004</v></c><c r="B3" t="b"><v>1</v></c><c r="C3" t="e"><v>#DIV/0!</v></c><c r="D3" t="str"><f>A1&amp;B1</f><v>cached</v></c></row>',
    '<row><c s="1"><v>46052</v></c><c s="2"><v>46052.3541666667</v></c><c s="3"><v>59</v></c><c s="4"><v>46052</v></c><c s="5"><v>1.10416666666667</v></c><c s="6"><v>0.5</v></c><c/><c t="d"><v>2026-01-31</v></c></row>',
    '<row r="9"><c r="A9" s="1"/><c r="B9" t="s"/></row>',
  ].join("");
  const sheets = [
    { name: "Q1 &amp; Q2", rows },
    { name: "Empty", rows: "" },
    { name: "Last", rows: "<row><c><v>1E3</v></c></row>" },
  ];
  const { sections } = await reader.read("a.xlsx", buildXlsx({ sheets, strings, styles }));
  assert.deepEqual(sections, [
    {
      metadata: { sheet: "Q1 & Q2" },
      text: [
        "shared\trich\t\tin line",
        "0.3\tTRUE\t#DIV/0!\tcached",
        "2026-01-30\t2026-01-30T08:30:00\t1900-02-28\t46052\t26:30:00\t12:00:00\t\t2026-01-31",
      ].join("\n"),
    },
    { metadata: { sheet: "Last" }, text: "1000" },
  ]);
});

test("XLSX: hidden sheets are named and not read", async () => {
  const rows = "<row><c><v>1</v></c></row>";
  const sheets = [
    { name: "Plan", rows },
    { name: "Wages", rows, state: "hidden" },
    { name: "Macro", rows, state: "veryHidden" },
  ];
  const content = await reader.read("a.xlsx", buildXlsx({ sheets }));
  assert.deepEqual(content.sections, [{ text: "1", metadata: { sheet: "Plan" } }]);
  assert.deepEqual(content.metadata, { hiddenSheets: ["Wages", "Macro"] });
  assert.equal(toText(content), "1\n\n[Hidden sheets were left out: Wages, Macro]");
  const hidden = buildXlsx({ sheets: sheets.slice(1) });
  await reader.refuses("a.xlsx", hidden, /only its hidden sheets have text \(Wages, Macro\); show them first/);
});

test("XLSX: days are counted from 1904 where the workbook says so", async () => {
  const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
  const sheets = [{ name: "a", rows: '<row><c s="0"><v>44590</v></c></row>' }];
  assert.equal(await reader.text("a.xlsx", buildXlsx({ sheets, styles, is1904: true })), "2026-01-30");
});

test("PPTX: slides in the presentation's order, tables, notes after the slide", async () => {
  const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell("a")}${cell("b")}</a:tr><a:tr>${cell("1")}${cell("2")}</a:tr></a:tbl></p:graphicFrame>`;
  const slides = [
    {
      shapes: slideShape(["Title"], "title") + slideShape(["one", "two"]) + slideShape(["7"], "sldNum"),
      notes: slideShape(["Say this."], "body") + slideShape(["1"], "sldNum"),
    },
    { shapes: "" },
    { shapes: `<p:grpSp>${slideShape(["grouped"])}</p:grpSp>${table}` },
  ];
  const content = await reader.read("a.pptx", buildPptx(slides, "Talk"));
  assert.equal(content.metadata.title, "Talk");
  assert.deepEqual(content.sections, [
    { metadata: { slide: 1 }, text: "# Title\n\none\ntwo\n\nNotes: Say this." },
    { metadata: { slide: 3 }, text: "grouped\n\n| a | b |\n| --- | --- |\n| 1 | 2 |" },
  ]);
});

test("an office file without its main part, or without text, is refused", async () => {
  await reader.refuses("a.docx", buildZip({ "word/x.xml": "<a/>" }), /its main part is missing/);
  await reader.refuses("a.docx", buildDocx({ body: "" }), /it contains no text/);
});
