import { attributeOf, walkXml, type XmlAttributes } from "./walk-xml.ts";

/** A level of a list. `format` is Word's: `bullet`, `none`, `decimal` or another way to write a number. */
export type NumberedLevel = Level & { list: string };

type Level = { format: string; start: number };
/** `levels`: its own levels, overriding its definition's. */
type Numbering = { abstractId: string; starts: Map<number, number>; levels: Map<number, Level> };

/** The numbering of a style known only by name. */
export const undescribedNumbers = "numbers";

/** Reads the lists of a Word document. Undefined ones have bullets. */
export function readNumbering(bytes: Uint8Array | undefined): (numId: string, level: number) => NumberedLevel {
  const { definitions, numberings } = collect(bytes ?? new Uint8Array());
  return (numId, index) => {
    const { abstractId, starts, levels } = numberings.get(numId) ?? createNumbering();
    const fallback = { format: numId === undescribedNumbers ? "decimal" : "bullet", start: 1 };
    const found = levels.get(index) ?? definitions.get(abstractId)?.get(index) ?? fallback;
    // Numberings that share a definition continue counting, unless one of them sets a start.
    const list = starts.size + levels.size > 0 || abstractId === "" ? `numbering ${numId}` : `definition ${abstractId}`;
    return { ...found, start: starts.get(index) ?? found.start, list };
  };
}

function createNumbering(): Numbering {
  return { abstractId: "", starts: new Map(), levels: new Map() };
}

function collect(bytes: Uint8Array) {
  const definitions = new Map<string, Map<number, Level>>();
  const numberings = new Map<string, Numbering>();
  let levels = new Map<number, Level>();
  let level: Level = { format: "", start: 1 };
  let numbering = createNumbering();
  let index = 0;
  const opened: Record<string, (attributes: XmlAttributes) => void> = {
    abstractNum(attributes) {
      levels = new Map();
      definitions.set(attributeOf(attributes, "abstractNumId") ?? "", levels);
    },
    num(attributes) {
      numbering = createNumbering();
      levels = numbering.levels;
      numberings.set(attributeOf(attributes, "numId") ?? "", numbering);
    },
    lvl(attributes) {
      level = { format: "decimal", start: 1 };
      levels.set(Number(attributeOf(attributes, "ilvl")) || 0, level);
    },
    lvlOverride(attributes) {
      index = Number(attributeOf(attributes, "ilvl")) || 0;
    },
    numFmt: (attributes) => Object.assign(level, { format: attributeOf(attributes, "val") ?? "decimal" }),
    start: (attributes) => Object.assign(level, { start: toStart(attributes) }),
    abstractNumId: (attributes) => Object.assign(numbering, { abstractId: attributeOf(attributes, "val") ?? "" }),
    startOverride: (attributes) => numbering.starts.set(index, toStart(attributes)),
  };
  walkXml(bytes, {
    open(name, attributes) {
      if (Object.hasOwn(opened, name)) opened[name]?.(attributes);
    },
  });
  return { definitions, numberings };
}

function toStart(attributes: XmlAttributes): number {
  const start = Number(attributeOf(attributes, "val"));
  return Number.isSafeInteger(start) && start >= 0 ? start : 1;
}
