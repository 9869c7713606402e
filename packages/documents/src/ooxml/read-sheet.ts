import type { TextBudget } from "../text-budget.ts";
import { Unreadable } from "../unreadable.ts";
import { type NumberKind, toIsoText } from "./number-format.ts";
import { walkXml, type XmlAttributes } from "./walk-xml.ts";

/** What the sheets of a workbook share. `cellsLeft` counts down over all of them. */
export type Workbook = {
  strings: string[];
  kinds: NumberKind[];
  is1904: boolean;
  budget: TextBudget;
  cellsLeft: number;
};

/** A line for each row that holds something; cells stand in their columns. */
export function readSheet(bytes: Uint8Array, workbook: Workbook): string {
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

/** A cell without a reference stands right of the one before. */
function startCell({ r = "", t = "n", s = "0" }: XmlAttributes, column: number): Cell {
  return { column: toColumn(r) ?? column, type: t, style: Number(s), text: "" };
}

/** What a spreadsheet can hold in a row and in a cell. */
const lastColumn = 16_384;
const longestText = 32_767;

/** Place of a column from 0: `C7` is 2. */
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
  // A workbook keeps 17 digits of which 15 mean something.
  return toIsoText(number, kinds[style] ?? "number", is1904) ?? String(Number(number.toPrecision(15)));
}
