import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import type { TextBudget } from "../text-budget.ts";
import { Unreadable } from "../unreadable.ts";
import { type OfficePackage, openOfficePackage, relationIdOf } from "./office-package.ts";
import { walkXml, type XmlAttributes } from "./walk-xml.ts";

/**
 * One section per sheet, in workbook order: one line per row, tab-separated, cached values. Hidden sheets are only
 * named.
 */
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
  const hiddenSheets: string[] = [];
  for (const { id, name, isHidden } of sheets) {
    if (isHidden) {
      hiddenSheets.push(name);
      continue;
    }
    const relation = relations.find((candidate) => candidate.id === id && candidate.kind === "worksheet");
    const bytes = relation && office.read(relation.part);
    if (bytes !== undefined) sections.push({ text: readSheet(bytes, workbook), metadata: { sheet: name } });
  }
  if (sections.every(({ text }) => text === "") && hiddenSheets.length > 0) {
    throw new Unreadable(
      `only its hidden sheets have text (${hiddenSheets.join(", ").slice(0, 500)}); show them first`,
    );
  }
  return { sections, title: office.title, hiddenSheets };
}

function readWorkbook({ read, mainPart }: OfficePackage) {
  const sheets: { id: string; name: string; isHidden: boolean }[] = [];
  let is1904 = false;
  walkXml(read(mainPart) ?? new Uint8Array(), {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (name !== "sheet") return;
      const isHidden = attributes.state === "hidden" || attributes.state === "veryHidden";
      sheets.push({ id: relationIdOf(attributes) ?? "", name: attributes.name ?? "", isHidden });
    },
  });
  return { sheets, is1904 };
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** The texts that cells refer to by index; phonetic readings (`rPh`) are left out. */
function readSharedStrings(bytes: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  walkXml(bytes ?? new Uint8Array(), {
    skipped: new Set(["rPh"]),
    open(name) {
      if (name === "si") text = "";
      isText = name === "t";
    },
    close(name) {
      if (name === "si") strings.push(text);
      isText = false;
    },
    text(piece) {
      if (isText) text += piece;
    },
  });
  return strings;
}

/** The kind of numbers in cells of each style, by style index. */
function readCellKinds(bytes: Uint8Array | undefined): NumberKind[] {
  const custom = new Map<number, NumberKind>();
  const kinds: NumberKind[] = [];
  let isCellStyle = false;
  walkXml(bytes ?? new Uint8Array(), {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId);
      if (name === "numFmt") custom.set(id, kindOfFormatCode(formatCode ?? ""));
      if (name === "cellXfs") isCellStyle = true;
      if (name === "xf" && isCellStyle) kinds.push(custom.get(id) ?? kindOfFormatId(id));
    },
    close(name) {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return kinds;
}

/** State shared by the sheets of a workbook. `cellsLeft` counts down over all of them. */
type Workbook = {
  strings: string[];
  kinds: NumberKind[];
  is1904: boolean;
  budget: TextBudget;
  cellsLeft: number;
};

/** One line per non-empty row; cells stay in their columns. */
function readSheet(bytes: Uint8Array, workbook: Workbook): string {
  const rows: string[] = [];
  let row: string[] = [];
  let cell = startCell({}, 0);
  let isValue = false;
  walkXml(bytes, {
    skipped: new Set(["rPh"]),
    open(name, attributes) {
      if (name === "row") {
        row = [];
        cell = startCell({}, -1);
      } else if (name === "c") cell = startCell(attributes, cell.column + 1);
      isValue = name === "v" || name === "t";
    },
    close(name) {
      isValue = false;
      if (name === "c") addCell(row, cell, workbook);
      else if (name === "row" && row.length > 0) rows.push(workbook.budget.take(row.join("\t")));
    },
    text(text) {
      if (isValue) cell.text += text;
    },
  });
  return rows.join("\n");
}

type Cell = { column: number; type: string; style: number; text: string };

/** A cell without a reference is right of the previous one. */
function startCell({ r = "", t = "n", s = "0" }: XmlAttributes, column: number): Cell {
  return { column: toColumn(r) ?? column, type: t, style: Number(s), text: "" };
}

/** Limits of a spreadsheet's row and cell. */
const lastColumn = 16_384;
const longestText = 32_767;

/** Column index from 0: `C7` is 2. */
function toColumn(reference: string): number | undefined {
  const letters = /^[A-Z]+/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function addCell(row: string[], cell: Cell, workbook: Workbook): void {
  if (cell.column >= lastColumn) throw new Unreadable(`a sheet has more than ${lastColumn} columns`);
  const shown = toText(cell, workbook);
  if (shown.length > longestText) throw new Unreadable(`a cell holds more than ${longestText} characters`);
  const text = shown.replace(/\s+/g, " ").trim();
  if (text === "") return;
  workbook.cellsLeft -= 1;
  if (workbook.cellsLeft < 0) throw new Unreadable("it has too many cells; split it");
  while (row.length < cell.column) row.push("");
  row[cell.column] = text;
}

function toText({ type, style, text }: Cell, { strings, kinds, is1904 }: Workbook): string {
  if (text === "") return "";
  if (type === "s") return strings[Number(text)] ?? "";
  if (type === "b") return text.trim() === "1" ? "TRUE" : "FALSE";
  const number = Number(text);
  if (type !== "n" || !Number.isFinite(number)) return text;
  // A workbook stores 17 digits, of which 15 are significant.
  return toIsoText(number, kinds[style] ?? "number", is1904) ?? String(Number(number.toPrecision(15)));
}

/** How a cell shows its number: as itself, a moment (a date, a time of day, or both), or a duration. */
type NumberKind = "number" | "moment" | "duration";

/** Built-in formats. Source: ECMA-376-1, section 18.8.30, including East Asia. */
function kindOfFormatId(id: number): NumberKind {
  if (id === 46) return "duration";
  const isMoment = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);
  return isMoment ? "moment" : "number";
}

/** Whether a format code such as `dd/mm/yyyy` or `[h]:mm` shows time; `#,##0.00 "days"` does not. */
function kindOfFormatCode(code: string): NumberKind {
  const [positive = ""] = code.replace(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  if (/\[(h+|m+|s+)\]/i.test(positive)) return "duration";
  const letters = positive.replace(/\[[^[\]]*\]|general/gi, "");
  return /[ymdhs]/i.test(letters) ? "moment" : "number";
}

/**
 * A count of days in ISO 8601: `2026-01-31`, `2026-01-31T08:30:00`, `08:30:00` for a moment of less than a day; a
 * duration as `26:30:00`. Undefined if out of range.
 */
function toIsoText(days: number, kind: NumberKind, is1904: boolean): string | undefined {
  if (kind === "number" || days < 0 || days > lastDay) return undefined;
  const seconds = Math.round(days * secondsPerDay);
  if (kind === "duration" || seconds < secondsPerDay) return toClock(seconds);
  // Before March 1900 the count is one less, as it includes a 29 February 1900 that never existed.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const [date = ""] = new Date(epoch + seconds * 1000).toISOString().split("T");
  const time = seconds % secondsPerDay;
  return time === 0 ? date : `${date}T${toClock(time)}`;
}

const secondsPerDay = 86_400;

/** The last day of 9999, the latest date. */
const lastDay = 2_958_465;

function toClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
