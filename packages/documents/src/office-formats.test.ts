import assert from "node:assert/strict";
import { test } from "node:test";
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
        text: "Heading\n\none\ttwo three\nfour\n\n- first\n- second\n\na\tb\n\tc < d\n\ntext[1]\n\n[1] the note",
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
  assert.equal(await reader.text("a.docx", buildDocx({ body })), "x 1 2\ty");
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
    { metadata: { slide: 1 }, text: "Title\n\none\ntwo\n\nNotes: Say this." },
    { metadata: { slide: 3 }, text: "grouped\n\na\tb\n1\t2" },
  ]);
});

test("an office file without its main part, or without text, is refused", async () => {
  await reader.refuses("a.docx", buildZip({ "word/x.xml": "<a/>" }), /its main part is missing/);
  await reader.refuses("a.docx", buildDocx({ body: "" }), /it contains no text/);
});
