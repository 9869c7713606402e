import type { DocumentSection } from "../document.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { createOdfFlow } from "./odf-flow.ts";
import { openOdfPackage } from "./odf-package.ts";
import { walkOdfBody } from "./walk-odf.ts";

/** One section per slide: its shapes and tables as Markdown, separated by blank lines, then its notes. */
export function readOdp({ budget, ...context }: ReadContext): ReadResult {
  const { content, styles, title } = openOdfPackage({ budget, ...context });
  const startShape = (isTitle: boolean) => createOdfFlow({ budget, styles, plain: "line", isTitle });
  const sections: DocumentSection[] = [];
  let shape = startShape(false);
  let texts: string[] = [];
  let notes: string[] | undefined;
  const endShape = (isTitle = false) => {
    const text = shape.toText();
    if (text !== "") (notes ?? texts).push(text);
    shape = startShape(isTitle);
  };
  walkOdfBody(content, styles, {
    open(name, attributes) {
      if (shapes.has(name)) endShape(attributes["presentation:class"] === "title");
      else if (name === "notes") notes = [];
      else shape.open(name, attributes);
    },
    close(name) {
      if (shapes.has(name)) endShape();
      else if (name === "notes") {
        if (notes !== undefined && notes.length > 0) texts.push(`Notes: ${notes.join("\n\n")}`);
        notes = undefined;
      } else if (name === "page") {
        sections.push({ text: texts.join("\n\n"), metadata: { slide: sections.length + 1 } });
        texts = [];
      } else shape.close(name);
    },
    text: (text) => shape.text(text),
  });
  return { sections, title };
}

const shapes = new Set(["frame", "custom-shape", "rect", "ellipse", "circle", "polygon", "path", "line", "connector"]);
