import { type Zippable, zipSync } from "fflate";

type Relation = { id: string; kind: string; target: string; isExternal?: boolean };

const officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const prefixes = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  `xmlns:r="${officeTypes}"`,
].join(" ");

/** A zip archive of texts and bytes. */
export function buildZip(parts: Record<string, string | Uint8Array>): Uint8Array {
  const files: Zippable = {};
  for (const [name, part] of Object.entries(parts)) {
    files[name] = typeof part === "string" ? new TextEncoder().encode(part) : part;
  }
  return zipSync(files);
}

export function buildRelations(relations: Relation[]): string {
  const elements = relations.map(
    ({ id, kind, target, isExternal }) =>
      `<Relationship Id="${id}" Type="${officeTypes}/${kind}" Target="${target}"${isExternal ? ' TargetMode="External"' : ""}/>`,
  );
  return `<?xml version="1.0"?><Relationships>${elements.join("")}</Relationships>`;
}

function mainRelation(target: string): Record<string, string> {
  return { "_rels/.rels": buildRelations([{ id: "rId1", kind: "officeDocument", target }]) };
}

function titlePart(title: string | undefined): Record<string, string> {
  return title === undefined
    ? {}
    : { "docProps/core.xml": `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>` };
}

export type WordXml = {
  body: string;
  footnotes?: string;
  title?: string;
  styles?: string;
  numbering?: string;
  /** Where the link `rId9` leads. */
  link?: string;
};

/** A document of paragraphs and tables as WordprocessingML. */
export function buildDocx(options: WordXml): Uint8Array {
  const { body, footnotes, title, styles, numbering, link = "" } = options;
  return buildZip({
    ...mainRelation("word/document.xml"),
    ...titlePart(title),
    "word/document.xml": `<?xml version="1.0"?><w:document ${prefixes}><w:body>${body}</w:body></w:document>`,
    "word/header1.xml": `<w:hdr ${prefixes}>${wordParagraph("Header of every page")}</w:hdr>`,
    "word/_rels/document.xml.rels": buildRelations([
      { id: "rId1", kind: "header", target: "header1.xml" },
      { id: "rId2", kind: "footnotes", target: "footnotes.xml" },
      { id: "rId3", kind: "hyperlink", target: "file:///etc/passwd", isExternal: true },
      { id: "rId4", kind: "styles", target: "styles.xml" },
      { id: "rId5", kind: "numbering", target: "numbering.xml" },
      { id: "rId9", kind: "hyperlink", target: link, isExternal: true },
    ]),
    ...(styles !== undefined && { "word/styles.xml": `<w:styles ${prefixes}>${styles}</w:styles>` }),
    ...(numbering !== undefined && { "word/numbering.xml": `<w:numbering ${prefixes}>${numbering}</w:numbering>` }),
    ...(footnotes !== undefined && { "word/footnotes.xml": `<w:footnotes ${prefixes}>${footnotes}</w:footnotes>` }),
  });
}

export function wordParagraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function wordTable(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

export type SheetXml = { name: string; rows: string; state?: string };

/** A workbook of sheets, each the inner XML of `sheetData`. */
export function buildXlsx(options: {
  sheets: SheetXml[];
  strings?: string;
  styles?: string;
  is1904?: boolean;
}): Uint8Array {
  const { sheets, strings = "", styles = "", is1904 = false } = options;
  // The relations are in the opposite order: only the workbook's own order counts.
  const relations = sheets.map((_, index) => ({
    id: `rId${index + 1}`,
    kind: "worksheet",
    target: `/xl/worksheets/part${index + 1}.xml`,
  }));
  return buildZip({
    ...mainRelation("xl/workbook.xml"),
    "xl/workbook.xml": `<workbook ${prefixes}><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheets
      .map(
        ({ name, state = "visible" }, index) =>
          `<sheet name="${name}" state="${state}" sheetId="${9 - index}" r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": buildRelations([
      ...relations.reverse(),
      { id: "s", kind: "sharedStrings", target: "sharedStrings.xml" },
      { id: "t", kind: "styles", target: "styles.xml" },
    ]),
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/styles.xml": `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/part${index + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** `link`: where the link `rId7` leads. */
export type SlideXml = { shapes: string; notes?: string; link?: string };

/** A presentation; its slides are stored under names in another order than they are shown. */
export function buildPptx(slides: SlideXml[], title?: string): Uint8Array {
  const fileOf = (index: number) => `slide${slides.length - index}.xml`;
  const parts: Record<string, string> = {};
  for (const [index, { shapes, notes, link }] of slides.entries()) {
    const file = fileOf(index);
    parts[`ppt/slides/${file}`] = `<p:sld ${prefixes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    parts[`ppt/slides/_rels/${file}.rels`] = buildRelations([
      ...(notes === undefined ? [] : [{ id: "rId1", kind: "notesSlide", target: `../notesSlides/${file}` }]),
      ...(link === undefined ? [] : [{ id: "rId7", kind: "hyperlink", target: link, isExternal: true }]),
    ]);
    if (notes === undefined) continue;
    parts[`ppt/notesSlides/${file}`] = `<p:notes ${prefixes}>${notes}</p:notes>`;
  }
  return buildZip({
    ...mainRelation("ppt/presentation.xml"),
    ...titlePart(title),
    "ppt/presentation.xml": `<p:presentation ${prefixes}><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
      .join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": buildRelations(
      slides.map((_, index) => ({ id: `rId${index + 1}`, kind: "slide", target: `slides/${fileOf(index)}` })),
    ),
    ...parts,
  });
}

export function slideShape(lines: string[], placeholder?: string): string {
  const paragraphs = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  const mark = placeholder === undefined ? "" : `<p:nvSpPr><p:nvPr><p:ph type="${placeholder}"/></p:nvPr></p:nvSpPr>`;
  return `<p:sp>${mark}<p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

export type OdfXml = {
  kind: "text" | "spreadsheet" | "presentation";
  body: string;
  /** Automatic styles of the content, and styles that all parts share. */
  styles?: string;
  sharedStyles?: string;
  title?: string;
  manifest?: string;
};

/** An OpenDocument file: the inner XML of its text, its sheets or its slides. */
export function buildOdf({
  kind,
  body,
  styles = "",
  sharedStyles = "",
  title = "",
  manifest = "",
}: OdfXml): Uint8Array {
  const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  return zipSync({
    mimetype: [Buffer.from(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
    "content.xml": Buffer.from(content),
    "styles.xml": Buffer.from(`<office:document-styles>${sharedStyles}</office:document-styles>`),
    "meta.xml": Buffer.from(`<office:meta><dc:title>${title}</dc:title></office:meta>`),
    "META-INF/manifest.xml": Buffer.from(`<manifest:manifest>${manifest}</manifest:manifest>`),
  });
}
