import type { ReadContext, ReadResult } from "../read-context.ts";
import { createFlowText, type FlowRules, type ParagraphProperties } from "./flow-text.ts";
import { type OfficePackage, openOfficePackage } from "./office-package.ts";
import { attributeOf, walkXml, type XmlAttributes } from "./walk-xml.ts";

/**
 * Headings, paragraphs, lists and tables in order, as Markdown, then the notes that the text refers to as `[1]`.
 * Tracked deletions are dropped, insertions kept; headers, footers and comments are not part of the text.
 */
export function readDocx(context: ReadContext): ReadResult {
  const office = openOfficePackage(context);
  const { mainPart, read, relationsOf, title } = office;
  const referred: string[] = [];
  const roleOf = readRoles(office);
  const rulesOf = (part: string): PartRules => {
    const links = office.linksOf(part);
    return { budget: context.budget, roleOf, linkOf: (id) => links.get(id ?? "") };
  };
  const body = readWordPart(read(mainPart), rulesOf(mainPart), referred).get(mainText) ?? "";
  const notes = new Map<string, string>();
  for (const { kind, part } of relationsOf(mainPart)) {
    if (kind !== "footnotes" && kind !== "endnotes") continue;
    for (const [key, text] of readWordPart(read(part), rulesOf(part), [])) notes.set(key, text);
  }
  const lines = referred.map((key, index) => `[${index + 1}] ${context.budget.take(notes.get(key) ?? "")}`);
  const text = [body, lines.join("\n")].filter((part) => part !== "").join("\n\n");
  return { sections: [{ text, metadata: {} }], title };
}

type PartRules = Omit<FlowRules, "plain">;

function readRoles({ mainPart, read, relationsOf }: OfficePackage): FlowRules["roleOf"] {
  const relations = relationsOf(mainPart);
  const partOf = (kind: string) => read(relations.find((relation) => relation.kind === kind)?.part ?? "");
  return createWordRoles({ styles: partOf("styles"), numbering: partOf("numbering") });
}

const mainText = "";
const skipped = new Set(["del", "moveFrom", "Fallback", "rPrChange", "pPrChange"]);

/**
 * Texts of a part: that of the document under the empty key, those of notes under `footnote <id>` and `endnote <id>`.
 * Adds the keys of the notes that the text refers to.
 */
function readWordPart(bytes: Uint8Array | undefined, rules: PartRules, referred: string[]): Map<string, string> {
  const texts = new Map<string, string>();
  if (bytes === undefined) return texts;
  let flow = createFlowText({ ...rules, plain: "paragraph" });
  let key = mainText;
  walkXml(bytes, {
    skipped,
    open(name, attributes) {
      if (name === "footnote" || name === "endnote") {
        key = `${name} ${attributeOf(attributes, "id")}`;
        flow = createFlowText({ ...rules, plain: "line" });
      } else if (name === "footnoteReference" || name === "endnoteReference") {
        const note = `${name.replace("Reference", "")} ${attributeOf(attributes, "id")}`;
        flow.insert(`[${referred.push(note)}]`);
      } else flow.open(name, attributes);
    },
    close(name) {
      flow.close(name);
      if (name === "footnote" || name === "endnote") texts.set(key, flow.toText());
    },
    text: (text) => flow.text(text),
  });
  if (key === mainText) texts.set(mainText, flow.toText());
  return texts;
}

/**
 * The role of a Word document's paragraphs: headings by their style's name or outline level, items by their numbering
 * or their style's. Source: ECMA-376-1, sections 17.7 (styles) and 17.9 (numbering).
 */
function createWordRoles(parts: Record<"styles" | "numbering", Uint8Array | undefined>): FlowRules["roleOf"] {
  const styles = readStyles(parts.styles);
  const levelOf = readNumbering(parts.numbering);
  return (properties) => {
    const styleId = valueIn(properties, "pStyle");
    const style = styleId === undefined ? {} : resolveStyle(styles, styleId);
    const outline = Number(valueIn(properties, "outlineLvl") ?? style.outline ?? bodyLevel);
    if (outline < bodyLevel) return { heading: outline + 1 };
    const numId = valueIn(properties, "numId") ?? style.numId;
    if (numId === undefined || numId === "0") return undefined;
    const level = Math.min(Math.max(Number(valueIn(properties, "ilvl") ?? style.level) || 0, 0), lastLevel);
    const item = levelOf(numId, level);
    if (item.format === "none") return undefined;
    return { item: { list: item.list, level, isOrdered: item.format !== "bullet", start: item.start } };
  };
}

/** The outline level of body text. Source: ECMA-376-1, section 17.3.1.20. */
const bodyLevel = 9;
const lastLevel = 8;

type Style = { basedOn?: string; outline?: string; numId?: string; level?: string };

function valueIn(properties: ParagraphProperties, name: string): string | undefined {
  const attributes = properties.get(name);
  return attributes && attributeOf(attributes, "val");
}

function readStyles(bytes: Uint8Array | undefined): Map<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style = {};
  walkXml(bytes ?? new Uint8Array(), {
    open(name, attributes) {
      const value = attributeOf(attributes, "val");
      if (name === "style") {
        style = {};
        styles.set(attributeOf(attributes, "styleId") ?? "", style);
      } else if (value === undefined) return;
      else if (name === "name") Object.assign(style, outlineOfName(value));
      else if (name === "basedOn") style.basedOn = value;
      else if (name === "outlineLvl") style.outline = value;
      else if (name === "numId") style.numId = value;
      else if (name === "ilvl") style.level = value;
    },
  });
  return styles;
}

/** Names of built-in styles are English in every language of Word. */
function outlineOfName(name: string): Style {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return { outline: String(Number(level) - 1) };
  return /^title$/i.test(name) ? { outline: "0" } : {};
}

/** Including what it inherits. A style missing in the document is identified by its id. */
function resolveStyle(styles: ReadonlyMap<string, Style>, id: string): Style {
  const chain: Style[] = [];
  let next: string | undefined = id;
  while (next !== undefined && chain.length < longestChain) {
    const style: Style = styles.get(next) ?? styleOfId(next);
    chain.unshift(style);
    next = style.basedOn;
  }
  return Object.assign({}, ...chain);
}

const longestChain = 20;

function styleOfId(id: string): Style {
  const [, kind, level = "1"] = /^List(Bullet|Number)([2-5])?$/.exec(id) ?? [];
  if (kind !== undefined)
    return { numId: kind === "Number" ? undescribedNumbers : "bullets", level: `${Number(level) - 1}` };
  return outlineOfName(id);
}

/** A level of a list. `format` is Word's: `bullet`, `none`, `decimal` or another way to write a number. */
type NumberedLevel = Level & { list: string };

type Level = { format: string; start: number };
/** `levels`: its own levels, overriding its definition's. */
type Numbering = { abstractId: string; starts: Map<number, number>; levels: Map<number, Level> };

/** The numbering of a style known only by name. */
const undescribedNumbers = "numbers";

/** Reads the lists of a Word document. Undefined ones have bullets. */
function readNumbering(bytes: Uint8Array | undefined): (numId: string, level: number) => NumberedLevel {
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
