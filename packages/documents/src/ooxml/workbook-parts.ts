import { kindOfFormatCode, kindOfFormatId, type NumberKind } from "./number-format.ts";
import { walkXml } from "./walk-xml.ts";

/** The texts that cells refer to by their place; readings in another script (`rPh`) are left out. */
export function readSharedStrings(bytes: Uint8Array | undefined): string[] {
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

/** What numbers mean in cells of each style, by the style's place. */
export function readCellKinds(bytes: Uint8Array | undefined): NumberKind[] {
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
