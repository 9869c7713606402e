import type { Source } from "../session/to-sources.ts";
import { strings } from "../strings.ts";
import { element } from "./element.ts";

/** The passages that an answer is based on, closed until they are asked for. */
export function sourceList(sources: readonly Source[], title: string): HTMLElement {
  return element(
    "details",
    { class: "sources" },
    element("summary", {}, title === "" ? strings.sources(sources.length) : `${title} ${sources.length}`),
    element("ol", {}, ...sources.map((source, index) => element("li", {}, sourceOf(source, index)))),
  );
}

function sourceOf({ title, href, text, facts }: Source, index: number): HTMLElement {
  const link =
    href && element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, strings.openSource);
  return element(
    "details",
    {},
    element("summary", {}, title || strings.unnamedSource(index + 1)),
    element(
      "div",
      { class: "passage" },
      element("p", {}, text),
      facts.length === 0 ? undefined : factList(facts),
      link ? element("p", {}, link) : undefined,
    ),
  );
}

function factList(facts: Source["facts"]): HTMLElement {
  return element("dl", {}, ...facts.flatMap(({ name, value }) => [element("dt", {}, name), element("dd", {}, value)]));
}
