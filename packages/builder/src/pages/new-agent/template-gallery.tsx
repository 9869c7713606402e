import { Badge, Chip, Group, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { NodeType, TemplateSummary } from "@weft/client";
import { useDeferredValue, useState } from "react";
import { nodeTypesQuery } from "../../api/agents.ts";
import { commonStrings, newAgentStrings as strings } from "../../strings.ts";
import { GraphPicture } from "../../ui/graph/graph-picture.tsx";
import { SearchInput } from "../../ui/list/list-page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./template-gallery.module.css";

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

type Props = { templates: readonly TemplateSummary[]; onChoose(template: TemplateSummary): void };

/** The templates as cards, with a search and a choice of their category. */
export function TemplateGallery({ templates, onChoose }: Props) {
  const { data: types = [] } = useQuery(nodeTypesQuery);
  const [search, setSearch] = useState("");
  const [category, setCategory] = useState("");
  const words = useDeferredValue(search);
  const found = findTemplates(templates, { search: words, category });
  return (
    <>
      <Group gap="sm">
        <SearchInput label={strings.search} value={search} onChange={setSearch} />
        <Chip.Group value={category} onChange={setCategory}>
          <Group gap={6} role="radiogroup" aria-label={strings.category}>
            {Object.entries({ "": strings.all, ...strings.categories }).map(([value, label]) => (
              <Chip key={value} value={value} size="xs" variant="outline">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Hint role="status" ml="auto">
          {strings.count({ count: found.length })}
        </Hint>
      </Group>
      {found.length === 0 ? (
        <Hint ta="center" py="xl">
          {commonStrings.nothingFound({ text: words })}
        </Hint>
      ) : (
        <ul className={classes.grid}>
          {found.map((template) => (
            <TemplateCard key={template.id} template={template} types={types} onChoose={() => onChoose(template)} />
          ))}
        </ul>
      )}
    </>
  );
}

type CardProps = { template: TemplateSummary; types: readonly NodeType[]; onChoose(): void };

function TemplateCard({ template: { title, summary, needs, graph }, types, onChoose }: CardProps) {
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        <GraphPicture graph={graph} types={types} label={strings.picture({ steps: graph.nodes.length })} />
      </div>
      <Title order={3} className={classes.title}>
        <UnstyledButton className={classes.choose} onClick={onChoose}>
          {title}
        </UnstyledButton>
      </Title>
      <Hint>{summary}</Hint>
      <ul className={classes.needs} aria-label={strings.needs}>
        {needs.map((need) => (
          <li key={need.name}>
            <Badge size="sm" variant="light" color="gray" tt="none">
              {need.title}
            </Badge>
          </li>
        ))}
      </ul>
    </li>
  );
}
