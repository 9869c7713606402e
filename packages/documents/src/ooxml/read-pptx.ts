import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import type { TextBudget } from "../text-budget.ts";
import { createFlowText } from "./flow-text.ts";
import { type OfficePackage, openOfficePackage, relationIdOf } from "./office-package.ts";
import { attributeOf, walkXml } from "./walk-xml.ts";

/** Every slide a section, in the order of the presentation: the text of its shapes and tables, then its notes. */
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

function readSlide({ read, relationsOf }: OfficePackage, part: string, budget: TextBudget): string {
  const slide = readShapes(read(part), budget);
  const notesPart = relationsOf(part).find((relation) => relation.kind === "notesSlide")?.part;
  const notes = readShapes(notesPart === undefined ? undefined : read(notesPart), budget);
  return [slide, notes && `Notes: ${notes}`].filter((text) => text !== "").join("\n\n");
}

const skipped = new Set(["Fallback"]);

/** Placeholders that are not what somebody says on the slide: its number, the date, what stands on every slide. */
const repeated = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** Text of the shapes of a slide, a blank line between two shapes. */
function readShapes(bytes: Uint8Array | undefined, budget: TextBudget): string {
  if (bytes === undefined) return "";
  const shapes: string[] = [];
  let flow = createFlowText(budget, "line");
  let isRepeated = false;
  const endShape = () => {
    if (!isRepeated) shapes.push(flow.toText());
    flow = createFlowText(budget, "line");
    isRepeated = false;
  };
  walkXml(bytes, {
    skipped,
    open(name, attributes) {
      if (name === "ph" && repeated.has(attributeOf(attributes, "type") ?? "")) isRepeated = true;
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
