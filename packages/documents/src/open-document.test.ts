import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOdf, buildZip } from "./testing/office-files.ts";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();
const odt = (body: string, styles = "") => buildOdf({ kind: "text", body, styles });
const ods = (body: string, styles = "") => buildOdf({ kind: "spreadsheet", body, styles });
const odp = (body: string, styles = "") => buildOdf({ kind: "presentation", body, styles });
const p = (text: string, style = "") => `<text:p text:style-name="${style}">${text}</text:p>`;
const list = (items: string[], attributes = "") =>
  `<text:list ${attributes}>${items.map((item) => `<text:list-item>${item}</text:list-item>`).join("")}</text:list>`;
const row = (cells: string[]) =>
  `<table:table-row>${cells.map((cell) => `<table:table-cell>${p(cell)}</table:table-cell>`).join("")}</table:table-row>`;

const numbers = '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>';
const styles = [
  `${numbers}<text:list-level-style-bullet text:level="2"/></text:list-style>`,
  '<style:style style:name="P1" style:parent-style-name="Title"/>',
  '<style:style style:name="T9"><style:text-properties text:display="none"/></style:style>',
].join("");

for (const [what, body, expected] of [
  [
    "headings",
    `${p("Report", "P1")}<text:h text:outline-level="2">The lamp</text:h>${p("Lit.")}`,
    "# Report\n\n## The lamp\n\nLit.",
  ],
  ["a heading deeper than six", '<text:h text:outline-level="9">Deep</text:h>', "###### Deep"],
  [
    "lists in lists, with the paragraphs of their items",
    list([p("Oil") + p("of whales"), p("Wick") + list([p("cotton")]), p("Match")], 'text:style-name="L1"'),
    "1. Oil\n\nof whales\n\n2. Wick\n   - cotton\n3. Match",
  ],
  [
    "lists that go on",
    list([p("one")], 'text:style-name="L1"') +
      p("x") +
      list([p("two")], 'text:style-name="L1" text:continue-numbering="true"') +
      list([p("new")], 'text:style-name="L1"'),
    "1. one\n\nx\n\n2. two\n1. new",
  ],
  [
    "items that begin to count elsewhere",
    `<text:list text:style-name="L1"><text:list-item text:start-value="7">${p("seven")}</text:list-item></text:list>`,
    "7. seven",
  ],
  [
    "tables",
    `<table:table>${row(["Oil", "7"])}<table:table-row><table:table-cell table:number-columns-repeated="2">${p("a|b")}</table:table-cell></table:table-row></table:table>`,
    "| Oil | 7 |\n| --- | --- |\n| a\\|b |  |",
  ],
  [
    "links, and those that lead nowhere",
    p(
      '<text:a xlink:href="https://example.org/a)">site</text:a> <text:a xlink:href="file:///etc/passwd">file</text:a>',
    ),
    "[site](https://example.org/a%29) file",
  ],
  ["blanks, tabs and breaks", p('a  \n b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e'), "a b   c\td\ne"],
  [
    "notes at the end",
    p(
      "Lit<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>At dusk.</text:p></text:note-body></text:note>.",
    ),
    "Lit[1].\n\n[1] At dusk.",
  ],
  [
    "no deletions, comments, contents or hidden text",
    `<text:tracked-changes>${p("gone")}</text:tracked-changes><text:table-of-content>${p("contents")}</text:table-of-content>${p(
      'seen<office:annotation><text:p>comment</text:p></office:annotation><text:span text:style-name="T9">hidden</text:span>',
    )}<text:section text:display="none">${p("secret")}</text:section>`,
    "seen",
  ],
  [
    "a text box within a paragraph",
    p(`around<draw:frame><draw:text-box>${p("box")}</draw:text-box></draw:frame>`),
    "box\n\naround",
  ],
] as const) {
  test(`ODT: ${what}`, async () => assert.equal(await reader.text("a.odt", odt(body, styles)), expected));
}

test("ODT: the title, and styles that all parts share", async () => {
  const sharedStyles = `${numbers}</text:list-style>`;
  const file = buildOdf({
    kind: "text",
    body: list([p("one")], 'text:style-name="L1"'),
    sharedStyles,
    title: "Lamp &amp; oil",
  });
  const content = await reader.read("a.odt", file);
  assert.deepEqual(content, {
    format: "odt",
    metadata: { title: "Lamp & oil" },
    sections: [{ text: "1. one", metadata: {} }],
  });
});

const cell = (attributes: string, shown = "") =>
  `<table:table-cell ${attributes}>${shown && p(shown)}</table:table-cell>`;
const sheet = (name: string, rows: string, style = "") =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
const cells = (...inner: string[]) => `<table:table-row>${inner.join("")}</table:table-row>`;

test("ODS: sheets, values, repeated cells and rows", async () => {
  const values = cells(
    cell('office:value-type="string"', "Lamp  one"),
    cell('office:value-type="float" office:value="0.30000000000000004"', "0,3"),
    cell('office:value-type="date" office:date-value="2026-01-31"', "31.1."),
    cell('office:value-type="time" office:time-value="PT26H03M00S"', "26:03"),
    cell('office:value-type="boolean" office:boolean-value="true"', "WAHR"),
  );
  const repeated = `<table:table-row table:number-rows-repeated="2">${cell('table:number-columns-repeated="2"')}${cell('table:number-columns-repeated="2"', "x")}${cell('table:number-columns-repeated="16380"')}</table:table-row>`;
  const empty = `<table:table-row table:number-rows-repeated="1048000">${cell("")}</table:table-row>`;
  const content = await reader.read(
    "a.ods",
    ods(sheet("One", values + empty + repeated) + sheet("Two", cells(cell("", "2")))),
  );
  assert.deepEqual(content.sections, [
    { text: "Lamp one\t0.3\t2026-01-31\t26:03:00\tTRUE\n\t\tx\tx\n\t\tx\tx", metadata: { sheet: "One" } },
    { text: "2", metadata: { sheet: "Two" } },
  ]);
});

const hidden = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';

test("ODS: hidden sheets are left out and named", async () => {
  const wages = sheet("Wages", cells(cell("", "9")), "ta2");
  const content = await reader.read("a.ods", ods(sheet("One", cells(cell("", "1"))) + wages, hidden));
  assert.deepEqual(content.sections, [{ text: "1", metadata: { sheet: "One" } }]);
  assert.deepEqual(content.metadata, { hiddenSheets: ["Wages"] });
  await reader.refuses("a.ods", ods(wages, hidden), /only its hidden sheets have text \(Wages\)/);
});

test("ODS: what is said to be repeated beyond all measure is refused", async () => {
  const wide = cells(cell('table:number-columns-repeated="999999999"', "x"));
  await reader.refuses("a.ods", ods(sheet("a", wide)), /more than 16384 columns/);
  const long = `<table:table-row table:number-rows-repeated="999999999">${cell("", "x")}</table:table-row>`;
  await reader.refuses("a.ods", ods(sheet("a", long)), /too many cells/);
  const gaps = `<table:table-row table:number-rows-repeated="100000">${cell('table:number-columns-repeated="16000"')}${cell("", "x")}</table:table-row>`;
  await reader.refuses("a.ods", ods(sheet("a", gaps)), /longer than 20000000 characters/);
  await reader.refuses("a.ods", ods(sheet("a", cells(cell("", "x".repeat(40_000))))), /more than 32767 characters/);
});

test("ODS: columns that are left empty in every row cost nothing", async () => {
  const end = cell('table:number-columns-repeated="16383"');
  const file = ods(sheet("a", cells(cell("", "x"), end).repeat(50_000)));
  const patient = openTestReader({ zipRatio: 10_000 });
  assert.equal((await patient.text("a.ods", file)).length, 50_000 * 2 - 1);
});

test("ODP: a section for each slide, its title as a heading, its notes at the end", async () => {
  const frame = (kind: string, inner: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${inner}</draw:text-box></draw:frame>`;
  const page = (inner: string) => `<draw:page>${inner}</draw:page>`;
  const notes = `<presentation:notes><draw:page-thumbnail/>${frame("notes", p("Speak up."))}${frame("page-number", p("1"))}</presentation:notes>`;
  const shapes = `${frame("title", p("The lamp"))}${frame("outline", list([p("Lit")]))}<draw:custom-shape>${p("a")}${p("b")}</draw:custom-shape>`;
  const content = await reader.read(
    "a.odp",
    odp(page(shapes + frame("footer", p("ACME")) + notes) + page(frame("title", p("End")))),
  );
  assert.deepEqual(content.sections, [
    { text: "# The lamp\n\n- Lit\n\na\nb\n\nNotes: Speak up.", metadata: { slide: 1 } },
    { text: "# End", metadata: { slide: 2 } },
  ]);
});

test("OpenDocument files are known by their content, and say why they cannot be read", async () => {
  assert.equal((await reader.read("a.bin", odt(p("x")))).format, "odt");
  assert.equal((await reader.read("a.odt", ods(sheet("s", cells(cell("", "x")))))).format, "ods");
  const locked = buildOdf({ kind: "text", body: "", manifest: "<manifest:encryption-data/>" });
  await reader.refuses("a.odt", locked, /protected by a password/);
  await reader.refuses("a.odt", "plain", /it is called odt, and its content is not/);
  await reader.refuses("a.ods", buildZip({ "a.txt": "x" }), /its content is another zip archive/);
  await reader.refuses("a.odt", odt(""), /it contains no text/);
  await reader.refuses("a.odt", odt(p("x")).subarray(0, 300), /zip archive is damaged/);
  await reader.refuses("a.odt", odt("<text:span>".repeat(10_000)), /nested more than 5000 levels deep/);
  await reader.refuses("a.odt", odt(" ".repeat(60_000_000)), /grows beyond all measure/);
});
