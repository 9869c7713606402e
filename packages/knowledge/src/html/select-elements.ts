import { elementsWithin, type PageElement } from "./page-node.ts";

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
