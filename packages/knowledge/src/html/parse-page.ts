import { Parser } from "htmlparser2";
import { blockTags, elementsWithin, type PageElement, textWithin } from "./page-node.ts";

/** A page as a tree, without scripts, styles and other elements that browsers do not render. */
export type Page = { root: PageElement; title: string | undefined };

/** Parses a page incrementally, so that a caller may pause in between. */
type PageParser = {
  write(piece: string): void;
  /** `too-deep`: nesting far beyond any page for people. */
  end(): Page | "too-deep";
};

const unread = new Set(["script", "style", "template", "noscript", "iframe", "svg", "object", "canvas"]);
/** Nesting limit: pages for people stay far below. */
export const maxPageDepth = 500;

export function createPageParser(): PageParser {
  const root = createElement("html", {}, undefined);
  const titles: PageElement[] = [];
  let current = root;
  let depth = 0;
  let skipped = 0;
  let isTooDeep = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      depth += 1;
      if (depth > maxPageDepth) isTooDeep = true;
      if (skipped > 0 || unread.has(tag)) skipped += 1;
      else current = appendElement(current, tag, attributes);
      if (tag === "title" && current.tag === tag) titles.push(current);
    },
    onclosetag() {
      depth -= 1;
      if (skipped > 0) skipped -= 1;
      else current = current.parent ?? root;
    },
    ontext(text) {
      if (skipped === 0) current.children.push(text);
    },
  });
  return {
    write(html) {
      for (let start = 0; start < html.length && !isTooDeep; start += pieceCharacters) {
        parser.write(html.slice(start, start + pieceCharacters));
      }
    },
    end() {
      if (isTooDeep) return "too-deep";
      parser.end();
      return { root, title: readTitle(root, titles) };
    },
  };
}

/** How far the parser may go before its depth is checked. */
const pieceCharacters = 4 * 1024;

function createElement(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  parent: PageElement | undefined,
): PageElement {
  return { tag, attributes, parent, children: [], hasBlocks: false, hasTables: false };
}

function appendElement(parent: PageElement, tag: string, attributes: Record<string, string>): PageElement {
  const element = createElement(tag, attributes, parent);
  parent.children.push(element);
  if (blockTags.has(tag)) markAbove(parent, "hasBlocks");
  if (tag === "table") markAbove(parent, "hasTables");
  return element;
}

function markAbove(parent: PageElement, mark: "hasBlocks" | "hasTables"): void {
  for (let above: PageElement | undefined = parent; above && !above[mark]; above = above.parent) above[mark] = true;
}

/** The titles of an SVG and of a frame do not count. */
function readTitle(root: PageElement, titles: readonly PageElement[]): string | undefined {
  for (const title of titles) {
    const { parent } = title;
    if (parent !== root && parent?.tag !== "head" && parent?.tag !== "html") continue;
    return textWithin(title).replace(/\s+/g, " ").trim().slice(0, 500) || undefined;
  }
  return undefined;
}

/**
 * The outermost elements that match a CSS selector, in order: tags, `*`, `#id`, `.class`, `[attribute]`,
 * `[attribute=value]`, one within another (a blank), alternatives (a comma). Undefined for any other selector.
 */
export function selectElements(root: PageElement, selector: string): PageElement[] | undefined {
  const alternatives = selector.split(",").map(parseAlternative);
  if (!alternatives.every((steps) => steps !== undefined)) return undefined;
  const found = new Set<PageElement>();
  for (const element of elementsWithin(root)) {
    if (isWithinAny(element, found)) continue;
    if (alternatives.some((steps) => matches(element, steps))) found.add(element);
  }
  return [...found];
}

type Test = (element: PageElement) => boolean;

const stepPattern = /^([a-z][a-z0-9-]*|\*)?((?:[#.][\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\]"']*))?\])*)$/i;
const partPattern = /([#.])([\w-]+)|\[([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\]"']*)))?\]/gy;

function parseAlternative(text: string): Test[] | undefined {
  const steps = text.trim().split(/\s+/).map(parseStep);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function parseStep(text: string): Test | undefined {
  const match = stepPattern.exec(text);
  if (text === "" || match === null) return undefined;
  const [, tag = "*", rest = ""] = match;
  const tests = [...rest.matchAll(partPattern)].map(toTest);
  return (element) => (tag === "*" || element.tag === tag.toLowerCase()) && tests.every((test) => test(element));
}

function toTest([, kind, name = "", attribute, ...values]: RegExpExecArray): Test {
  if (kind === "#") return ({ attributes }) => attributes.id === name;
  if (kind === ".") return ({ attributes }) => (attributes.class ?? "").split(/\s+/).includes(name);
  const wanted = values.find((value) => value !== undefined);
  return ({ attributes }) => {
    const value = attributes[attribute ?? ""];
    return value !== undefined && (wanted === undefined || value === wanted);
  };
}

function matches(element: PageElement, steps: readonly Test[]): boolean {
  if (!steps.at(-1)?.(element)) return false;
  let open = steps.length - 2;
  for (let above = element.parent; above !== undefined && open >= 0; above = above.parent) {
    if (steps[open]?.(above)) open -= 1;
  }
  return open < 0;
}

function isWithinAny({ parent }: PageElement, found: ReadonlySet<PageElement>): boolean {
  for (let above = parent; above !== undefined; above = above.parent) if (found.has(above)) return true;
  return false;
}
