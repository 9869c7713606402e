import type { Source } from "../session/to-sources.ts";
import { strings } from "../strings.ts";
import { element } from "./element.ts";

/** The passages that an answer is based on, closed until they are asked for. */
export function sourceList(sources: readonly Source[], title: string): HTMLElement {
  return element(
    "details",
    { class: "sources" },
    element("summary", {}, title === "" ? strings.sources(sources.length) : `${title} ${sources.length}`),
    element("ol", {}, ...sources.map((source, index) => item(source, index, sources))),
  );
}

/** A passage under its number, or under none where others have one and it has not. */
function item(source: Source, index: number, all: readonly Source[]): HTMLElement {
  const { number } = source;
  const isUncitable = number === undefined && all.some((one) => one.number !== undefined);
  return element("li", { value: number, class: isUncitable && "uncitable" }, sourceOf(source, index));
}

/** Opens the passage of that number in a list, and leads the reader to it. */
export function openSource(list: HTMLElement, number: number): void {
  const passage = list.querySelector<HTMLDetailsElement>(`details[data-number="${number}"]`);
  if (!passage) return;
  for (const details of [list.querySelector("details"), passage]) details?.setAttribute("open", "");
  for (const other of list.querySelectorAll(".opened")) other.classList.remove("opened");
  passage.classList.add("opened");
  passage.querySelector("summary")?.focus({ preventScroll: true });
  passage.scrollIntoView({ block: "nearest" });
}

function sourceOf({ title, href, text, number, isCited, facts }: Source, index: number): HTMLElement {
  const name = title || strings.unnamedSource(number ?? index + 1);
  const link =
    href && element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, strings.openSource);
  return element(
    "details",
    { "data-number": number },
    element(
      "summary",
      {},
      name,
      isCited === false ? element("span", { class: "note" }, ` · ${strings.notCited}`) : undefined,
    ),
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
