import { deflateSync } from "node:zlib";

export type PdfOptions = {
  title?: string;
  /** Put into the trailer: the document asks for a password that nobody has. */
  isEncrypted?: boolean;
  font?: string;
};

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/** A PDF with one page for each entry; every line of a page is a line of text. An empty page shows nothing. */
export function buildPdf(pages: string[][], options: PdfOptions = {}): Uint8Array {
  return assemblePdf(
    pages.map((lines) => streamObject(toContent(lines))),
    options,
  );
}

/** One page with a text in a font that names a predefined CMap and has no other way to its characters. */
export function buildCMapPdf({
  encoding,
  ordering,
  hex,
}: {
  encoding: string;
  ordering: string;
  hex: string;
}): Uint8Array {
  const system = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`;
  const descriptor =
    "<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>";
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Own /CIDSystemInfo ${system} /DW 1000 /FontDescriptor ${descriptor} >>`;
  const font = `<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
  return assemblePdf([streamObject(`BT /F1 12 Tf 72 720 Td <${hex}> Tj ET`)], { font });
}

/** One page whose content unpacks to that many bytes. */
export function buildPdfBomb(unpackedBytes: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(unpackedBytes, "0 0 m\n"));
  return assemblePdf([streamObject(packed.toString("latin1"), "/Filter /FlateDecode")], {});
}

function toContent(lines: string[]): string {
  if (lines.length === 0) return "";
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`);
  return `BT /F1 12 Tf 14 TL 72 720 Td ${shown.join(" ")} ET`;
}

function streamObject(content: string, entries = ""): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

function assemblePdf(contents: string[], { title, isEncrypted, font = helvetica }: PdfOptions): Uint8Array {
  const pageNumber = (index: number) => 5 + index * 2;
  const kids = contents.map((_, index) => `${pageNumber(index)} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    font,
    `<< /Title (${title ?? ""}) >>`,
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumber(index) + 1} 0 R >>`,
      content,
    ]),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const key = "A".repeat(64);
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`;
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${isEncrypted ? encryption : ""} >>`;
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n${trailer}\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(file, "latin1");
}
