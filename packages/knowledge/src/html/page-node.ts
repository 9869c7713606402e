/** An element of a page. `hasBlocks`: it contains a block element; `hasTables`: it contains a table. */
export type PageElement = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: PageElement | undefined;
  readonly children: PageNode[];
  hasBlocks: boolean;
  hasTables: boolean;
};

/** Text is a string, with its entities resolved. */
export type PageNode = string | PageElement;

export const blockTags: ReadonlySet<string> = new Set(
  "address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre search section select summary table tbody td textarea tfoot th thead tr ul".split(
    " ",
  ),
);

export function isElement(node: PageNode): node is PageElement {
  return typeof node !== "string";
}

/** The elements within, in order; only those of the given tag if one is given. */
export function* elementsWithin(element: PageElement, tag?: string): Generator<PageElement> {
  const rest: PageElement[] = [element];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next !== element && (tag === undefined || next.tag === tag)) yield next;
    for (const child of next.children.toReversed()) if (isElement(child)) rest.push(child);
  }
}

/** All text within, as it stands. */
export function textWithin(element: PageElement): string {
  const parts: string[] = [];
  const rest: PageNode[] = [element];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") parts.push(next);
    else for (const child of next.children.toReversed()) rest.push(child);
  }
  return parts.join("");
}
