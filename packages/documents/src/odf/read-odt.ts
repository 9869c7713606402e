import type { ReadContext, ReadResult } from "../read-context.ts";
import { createOdfFlow } from "./odf-flow.ts";
import { openOdfPackage } from "./odf-package.ts";
import { walkOdfBody } from "./walk-odf.ts";

/**
 * Headings, paragraphs, lists, tables and links in order, as Markdown, then the notes that the text refers to as `[1]`.
 */
export function readOdt(context: ReadContext): ReadResult {
  const { content, styles, title } = openOdfPackage(context);
  const flow = createOdfFlow({ budget: context.budget, styles, plain: "paragraph" });
  walkOdfBody(content, styles, flow);
  return { sections: [{ text: flow.toText(), metadata: {} }], title };
}
