import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import type { TextBudget } from "../text-budget.ts";
import { createFlowText, type FlowRules, type ParagraphProperties } from "./flow-text.ts";
import { type OfficePackage, openOfficePackage, relationIdOf } from "./office-package.ts";
import { attributeOf, walkXml } from "./walk-xml.ts";

/** One section per slide, in presentation order: its shapes and tables as Markdown, then its notes. */
export function readPptx(context: ReadContext): ReadResult {
  const office = openOfficePackage(context);
  const parts = new Map(office.relationsOf(office.mainPart).map(({ id, part }) => [id, part]));
  const sections: DocumentSection[] = [];
  for (const [index, id] of readSlideIds(office).entries()) {
    const text = readSlide(office, parts.get(id) ?? "", context.budget);
    sections.push({ text, metadata: { slide: index + 1 } });
  }
  return { sections, title: office.title };
}

function readSlideIds({ read, mainPart }: OfficePackage): string[] {
  const ids: string[] = [];
  walkXml(read(mainPart) ?? new Uint8Array(), {
    open(name, attributes) {
      const id = name === "sldId" ? relationIdOf(attributes) : undefined;
      if (id !== undefined) ids.push(id);
    },
  });
  return ids;
}

function readSlide({ read, relationsOf, linksOf }: OfficePackage, part: string, budget: TextBudget): string {
  const links = linksOf(part);
  const linkOf = (id: string | undefined) => links.get(id ?? "");
  const slide = readShapes(read(part), { budget, linkOf, isSlide: true });
  const notesPart = relationsOf(part).find((relation) => relation.kind === "notesSlide")?.part;
  const notesBytes = notesPart === undefined ? undefined : read(notesPart);
  const notes = readShapes(notesBytes, { budget, linkOf: () => undefined, isSlide: false });
  return [slide, notes && `Notes: ${notes}`].filter((text) => text !== "").join("\n\n");
}

const skipped = new Set(["Fallback"]);

/** Placeholders that are not the slide's own content: its number, the date, text repeated on every slide. */
const repeated = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);
const titles = new Set(["title", "ctrTitle"]);
const outlines = new Set(["body", "obj"]);

type ShapeRules = Pick<FlowRules, "budget" | "linkOf"> & { isSlide: boolean };

/** Text of a slide's shapes, separated by blank lines. */
function readShapes(bytes: Uint8Array | undefined, { isSlide, ...rules }: ShapeRules): string {
  if (bytes === undefined) return "";
  const shapes: string[] = [];
  let placeholder: string | undefined;
  const startFlow = () =>
    createFlowText({
      ...rules,
      plain: "line",
      roleOf: (properties) => roleOf(properties, isSlide ? placeholder : undefined),
    });
  let flow = startFlow();
  const endShape = () => {
    if (!repeated.has(placeholder ?? "")) shapes.push(flow.toText());
    placeholder = undefined;
    flow = startFlow();
  };
  walkXml(bytes, {
    skipped,
    open(name, attributes) {
      if (name === "ph") placeholder = attributeOf(attributes, "type") ?? "obj";
      flow.open(name, attributes);
    },
    close(name) {
      flow.close(name);
      if (name === "sp" || name === "graphicFrame") endShape();
    },
    text: (text) => flow.text(text),
  });
  return shapes.filter((text) => text !== "").join("\n\n");
}

/**
 * A slide's title is a heading; paragraphs with bullets or numbers are items, which those of the slide's body inherit
 * from its master unless overridden. Source: ECMA-376-1, section 21.1.2.4.
 */
function roleOf(properties: ParagraphProperties, placeholder: string | undefined): ReturnType<FlowRules["roleOf"]> {
  if (placeholder !== undefined && titles.has(placeholder)) return { heading: 1 };
  const numbered = properties.get("buAutoNum");
  const hasBullet = properties.has("buChar") || properties.has("buBlip") || outlines.has(placeholder ?? "");
  if (numbered === undefined && (properties.has("buNone") || !hasBullet)) return undefined;
  const level = Math.min(Math.max(Number(properties.get("pPr")?.lvl) || 0, 0), lastLevel);
  const start = Number(numbered?.startAt) || 1;
  return {
    item: { list: numbered === undefined ? "bullets" : "numbers", level, isOrdered: numbered !== undefined, start },
  };
}

const lastLevel = 8;
