import type { PageElement } from "./page-node.ts";

export type MarkdownOptions = {
  /** Elements that are left out, with all in them. */
  omit?: ReadonlySet<PageElement>;
  /** What the page's relative addresses refer to. Without it, links are their text alone. */
  baseUrl?: string;
};
