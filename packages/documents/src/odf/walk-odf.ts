import { attributeOf, walkXml, type XmlAttributes, type XmlHandler } from "../ooxml/walk-xml.ts";
import type { OdfStyles } from "./odf-styles.ts";

/**
 * Reads the body of a content part, and notes the styles before it. Skips hidden text, tracked deletions, comments and
 * tables of contents.
 */
export function walkOdfBody(
  content: Uint8Array,
  styles: OdfStyles,
  handler: Required<Pick<XmlHandler, "open" | "close" | "text">>,
): void {
  let isBody = false;
  let hidden = 0;
  walkXml(content, {
    skipped,
    open(name, attributes) {
      if (name === "body") isBody = true;
      if (!isBody) styles.note(name, attributes);
      else if (hidden > 0 || isHidden(name, attributes, styles)) hidden += 1;
      else handler.open(name, attributes);
    },
    close(name) {
      if (hidden > 0) hidden -= 1;
      else if (isBody) handler.close(name);
    },
    text(text) {
      if (isBody && hidden === 0) handler.text(text);
    },
  });
}

const skipped = new Set([
  ...["tracked-changes", "annotation", "table-of-content", "forms", "ruby-text", "note-citation", "desc", "title"],
  ...["hidden-text", "hidden-paragraph", "page-thumbnail", "master-page"],
]);

/** Parts of a slide that repeat on every one. */
const repeated = new Set(["page-number", "date-time", "footer", "header", "page"]);

function isHidden(name: string, attributes: XmlAttributes, styles: OdfStyles): boolean {
  if (name === "section") return attributeOf(attributes, "display") === "none";
  if (name === "frame") return repeated.has(attributes["presentation:class"] ?? "");
  return (name === "span" || name === "p" || name === "h") && styles.isHidden(attributes["text:style-name"]);
}
