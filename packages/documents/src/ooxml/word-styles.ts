import type { FlowRules, ParagraphProperties } from "./flow-text.ts";
import { attributeOf, walkXml } from "./walk-xml.ts";
import { readNumbering, undescribedNumbers } from "./word-numbering.ts";

/**
 * The role of a Word document's paragraphs: headings by their style's name or outline level, items by their numbering
 * or their style's. Source: ECMA-376-1, sections 17.7 (styles) and 17.9 (numbering).
 */
export function createWordRoles(parts: Record<"styles" | "numbering", Uint8Array | undefined>): FlowRules["roleOf"] {
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
