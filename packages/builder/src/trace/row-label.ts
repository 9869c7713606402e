import { executionStrings } from "../strings/executions.ts";
import { passOf, type TimelineNode } from "./timeline-tree.ts";

/** What a row is called; `more` sets it apart from others of its name. */
export function rowLabel({ source }: TimelineNode): { label: string; more: string } {
  switch (source.type) {
    case "item":
      return { label: executionStrings.item(source.index), more: "" };
    case "effect":
      return { label: source.effect.name, more: executionStrings.categories[source.effect.category] };
    case "step": {
      const pass = passOf(source.step);
      return { label: source.step.nodeLabel, more: pass === 0 ? "" : executionStrings.pass(pass) };
    }
  }
}
