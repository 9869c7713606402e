import { elementsWithin, type PageElement, textWithin } from "./page-node.ts";

/** The main part of a page: one of its elements, and the elements omitted in that. */
type MainContent = { element: PageElement; omit: ReadonlySet<PageElement> };

const besideTags = new Set(["nav", "aside", "footer", "dialog", "button", "select", "label", "textarea", "search"]);
const besideRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert"]);
const besideNames =
  /(^|[\s_-])(nav|navbar|navheader|navfooter|navigation|menu|sidebar|breadcrumbs?|cookies?|consent|gdpr|share|social|pager|newsletter|advert|advertisement|skip-?link)($|[\s_-])/i;

/** A part marked as main with less text than this is ignored. */
const leastCharacters = 100;

/**
 * The main content: `<main>`, else the only `<article>`, else the whole page, without navigation, banners, side bars,
 * footers, cookie notices and form fields. If nothing is left, the whole page.
 */
export function findMainContent(root: PageElement): MainContent {
  const element = findMainElement(root);
  const omit = findBeside(element);
  const whole = { element: root, omit: new Set<PageElement>() };
  return hasText(element, omit) ? { element, omit } : whole;
}

function findMainElement(root: PageElement): PageElement {
  const articles: PageElement[] = [];
  const mains: PageElement[] = [];
  for (const element of elementsWithin(root)) {
    if (element.tag === "main" || element.attributes.role === "main") mains.push(element);
    else if (element.tag === "article") articles.push(element);
  }
  const candidate = mains[0] ?? (articles.length === 1 ? articles[0] : undefined);
  const isBelievable = candidate && textWithin(candidate).replace(/\s+/g, " ").length >= leastCharacters;
  return isBelievable ? candidate : root;
}

function findBeside(element: PageElement): Set<PageElement> {
  const beside = new Set<PageElement>();
  for (const within of elementsWithin(element)) if (isBeside(within)) beside.add(within);
  return beside;
}

function isBeside(element: PageElement): boolean {
  const { tag, attributes } = element;
  if (besideTags.has(tag) || besideRoles.has(attributes.role ?? "")) return true;
  if ("hidden" in attributes || attributes["aria-hidden"] === "true") return true;
  if (tag === "header") return isBanner(element);
  return tag !== "body" && tag !== "html" && besideNames.test(`${attributes.class ?? ""} ${attributes.id ?? ""}`);
}

/** An article's header has its title; the page's has the site's, though possibly inside a wrapper. */
function isBanner(header: PageElement): boolean {
  if (header.parent === undefined || header.parent.tag === "body" || header.parent.tag === "html") return true;
  for (let above = header.parent; above.parent !== undefined; above = above.parent) {
    if (partTags.has(above.tag)) return false;
  }
  return elementsWithin(header, "h1").next().done === true;
}

const partTags = new Set(["article", "main", "section"]);

function hasText(element: PageElement, omit: ReadonlySet<PageElement>): boolean {
  if (omit.has(element)) return false;
  return element.children.some((child) => (typeof child === "string" ? child.trim() !== "" : hasText(child, omit)));
}
