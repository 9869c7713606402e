import { splitCitations } from "@weft/schema/citation";
import type { Source } from "../session/to-sources.ts";
import { strings } from "../strings.ts";
import { element } from "./element.ts";

/** Makes buttons of the citations in a rendered answer, for the sources that it has. Brackets in code stay text. */
export function showCitations(
  root: DocumentFragment,
  sources: readonly Source[],
  onOpen: (number: number) => void,
): void {
  const byNumber = new Map(sources.flatMap((source) => (source.number === undefined ? [] : [[source.number, source]])));
  if (byNumber.size === 0) return;
  for (const text of textsOf(root)) {
    const parts = splitCitations(text.data, byNumber);
    if (parts.every((part) => typeof part === "string")) continue;
    text.replaceWith(
      ...parts.map((part) => (typeof part === "string" ? part : chip(part, byNumber.get(part)?.title ?? ""))),
    );
  }

  function chip(number: number, title: string): HTMLElement {
    const label = title === "" ? strings.unnamedSource(number) : strings.namedSource(number, title);
    // The number is drawn by the style: what is read aloud or copied is the sentence.
    const attributes = { type: "button", class: "citation", "data-number": number, "aria-label": label, title: label };
    return element("button", { ...attributes, click: () => onOpen(number) });
  }
}

function textsOf(root: DocumentFragment): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest("code, a")) found.push(node);
  }
  return found;
}
