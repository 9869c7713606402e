import { codeCopyButton } from "../view/copy-button.ts";
import { element } from "../view/element.ts";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

/** Renders Markdown as elements. A model's text becomes text nodes and checked URLs, never markup. */
export function renderMarkdown(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...parseMarkdown(text).map(renderBlock));
  return fragment;
}

function renderBlock(block: Block): Node {
  switch (block.type) {
    case "paragraph":
      return element("p", {}, ...renderInline(block.content));
    case "heading":
      // All on one level, below the chat's title: models skip levels, which sends listeners astray.
      return element("p", { class: "heading", role: "heading", "aria-level": 2 }, ...renderInline(block.content));
    case "code":
      return renderCode(block);
    case "quote":
      return element("blockquote", {}, ...block.blocks.map(renderBlock));
    case "list":
      return renderList(block);
    case "table":
      return renderTable(block);
    case "rule":
      return element("hr");
  }
}

function renderCode({ language, text }: Extract<Block, { type: "code" }>): Node {
  const bar = element("div", { class: "bar" }, element("span", {}, language), codeCopyButton(text));
  return element("div", { class: "code" }, bar, element("pre", { tabindex: 0 }, element("code", {}, text)));
}

function renderList({ isOrdered, start, items }: Extract<Block, { type: "list" }>): Node {
  const children = items.map((blocks) => element("li", {}, ...blocks.map(renderBlock)));
  return isOrdered ? element("ol", { start }, ...children) : element("ul", {}, ...children);
}

function renderTable({ head, rows }: Extract<Block, { type: "table" }>): Node {
  const row = (cells: Inline[][], name: "th" | "td") =>
    element("tr", {}, ...cells.map((cell) => element(name, {}, ...renderInline(cell))));
  const table = element(
    "table",
    {},
    element("thead", {}, row(head, "th")),
    element("tbody", {}, ...rows.map((cells) => row(cells, "td"))),
  );
  return element("div", { class: "table", tabindex: 0 }, table);
}

function renderInline(content: readonly Inline[]): (Node | string)[] {
  return content.map(renderMark);
}

function renderMark(inline: Inline): Node | string {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "code":
      return element("code", {}, inline.text);
    case "strong":
      return element("strong", {}, ...renderInline(inline.content));
    case "emphasis":
      return element("em", {}, ...renderInline(inline.content));
    case "deleted":
      return element("del", {}, ...renderInline(inline.content));
    case "link":
      return element(
        "a",
        { href: inline.href, target: "_blank", rel: "noopener noreferrer nofollow" },
        ...renderInline(inline.content),
      );
    case "break":
      return element("br");
  }
}
