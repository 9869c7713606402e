import type { TemplateSummary } from "@weft/client";

type Searched = Pick<TemplateSummary, "category" | "title" | "summary" | "needs">;

/** The templates of a category (empty: of all) that contain every word of the search, in the order given. */
export function findTemplates<One extends Searched>(
  templates: readonly One[],
  { search, category }: { search: string; category: string },
): One[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter((template) => {
    const { title, summary, needs } = template;
    const text = [title, summary, template.category, ...needs.map((need) => need.title)].join(" ").toLowerCase();
    return (category === "" || template.category === category) && words.every((word) => text.includes(word));
  });
}
