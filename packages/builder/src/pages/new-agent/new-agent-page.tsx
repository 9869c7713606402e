import { Badge, Chip, Group, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import type { NodeType, TemplateSummary } from "@weft/client";
import { useDeferredValue, useState } from "react";
import { nodeTypesQuery, templatesQuery } from "../../api/agents.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { FileUp, Plus } from "../../icons/icons.gen.ts";
import { commonStrings, newAgentStrings as strings } from "../../strings.ts";
import { GraphPicture } from "../../ui/graph/graph-picture.tsx";
import { SearchInput } from "../../ui/list/list-page.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { BlankDialog, TemplateDialog } from "./create-dialogs.tsx";
import classes from "./new-agent-page.module.css";
import galleryClasses from "./template-gallery.module.css";

/** The ways to a new agent: nothing yet, a file, or a template. */
export function NewAgentPage() {
  const templates = useQuery(templatesQuery);
  const { blank = false } = useSearch({ from: "/new" });
  const navigate = useNavigate();
  const router = useRouter();
  const [template, setTemplate] = useState<TemplateSummary>();
  const setBlank = (isOpen: boolean) =>
    void navigate({ to: "/new", search: isOpen ? { blank: true } : {}, replace: !isOpen });
  // The dialog also closes when its agent was made, which leads away from this page.
  const closeBlank = () => router.latestLocation.pathname === "/new" && setBlank(false);
  return (
    <Page title={strings.title} summary={strings.summary}>
      <div className={classes.ways}>
        <UnstyledButton className={classes.way} onClick={() => setBlank(true)}>
          <Way icon={Plus} title={strings.blank} text={strings.blankText} />
        </UnstyledButton>
        <UnstyledButton className={classes.way} renderRoot={(props) => <Link to="/agents/import" {...props} />}>
          <Way icon={FileUp} title={strings.import} text={strings.importText} />
        </UnstyledButton>
      </div>
      <Title order={2}>{strings.templates}</Title>
      <ListBody query={templates} rowHeight={220}>
        {(rows) => <TemplateGallery templates={rows} onChoose={setTemplate} />}
      </ListBody>
      {blank && <BlankDialog onClose={closeBlank} />}
      {template && <TemplateDialog template={template} onClose={() => setTemplate(undefined)} />}
    </Page>
  );
}

function Way({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <>
      <span className={classes.icon}>
        <Icon size={20} strokeWidth={1.75} aria-hidden />
      </span>
      <span>
        <Text component="span" display="block" size="sm" fw={600}>
          {title}
        </Text>
        <Hint component="span" display="block">
          {text}
        </Hint>
      </span>
    </>
  );
}

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

type GalleryProps = { templates: readonly TemplateSummary[]; onChoose(template: TemplateSummary): void };

/** The templates as cards, with a search and a choice of their category. */
function TemplateGallery({ templates, onChoose }: GalleryProps) {
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
        <ul className={galleryClasses.grid}>
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
    <li className={galleryClasses.card}>
      <div className={galleryClasses.picture}>
        <GraphPicture graph={graph} types={types} label={strings.picture({ steps: graph.nodes.length })} />
      </div>
      <Title order={3} className={galleryClasses.title}>
        <UnstyledButton className={galleryClasses.choose} onClick={onChoose}>
          {title}
        </UnstyledButton>
      </Title>
      <Hint>{summary}</Hint>
      <ul className={galleryClasses.needs} aria-label={strings.needs}>
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
