import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { type OfficePackage, openOfficePackage, relationIdOf } from "./office-package.ts";
import { readSheet } from "./read-sheet.ts";
import { walkXml } from "./walk-xml.ts";
import { readCellKinds, readSharedStrings } from "./workbook-parts.ts";

/** Every sheet a section, in the order of the workbook: a line for each row, a tab between cells, cached values. */
export function readXlsx(context: ReadContext): ReadResult {
  const office = openOfficePackage(context);
  const relations = office.relationsOf(office.mainPart);
  const partOf = (kind: string) => office.read(relations.find((relation) => relation.kind === kind)?.part ?? "");
  const { sheets, is1904 } = readWorkbook(office);
  const workbook = {
    is1904,
    strings: readSharedStrings(partOf("sharedStrings")),
    kinds: readCellKinds(partOf("styles")),
    budget: context.budget,
    cellsLeft: context.limits.cells,
  };
  const sections: DocumentSection[] = [];
  for (const { id, name } of sheets) {
    const relation = relations.find((candidate) => candidate.id === id && candidate.kind === "worksheet");
    const bytes = relation && office.read(relation.part);
    if (bytes !== undefined) sections.push({ text: readSheet(bytes, workbook), metadata: { sheet: name } });
  }
  return { sections, title: office.title };
}

function readWorkbook({ read, mainPart }: OfficePackage) {
  const sheets: { id: string; name: string }[] = [];
  let is1904 = false;
  walkXml(read(mainPart) ?? new Uint8Array(), {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (name === "sheet") sheets.push({ id: relationIdOf(attributes) ?? "", name: attributes.name ?? "" });
    },
  });
  return { sheets, is1904 };
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
