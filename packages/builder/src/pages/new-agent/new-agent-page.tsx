import { Anchor, Badge, Chip, Group, Text, TextInput, Title, UnstyledButton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import type { NodeType, TemplateSummary } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { useDeferredValue, useMemo, useState } from "react";
import {
  agentKeys,
  createAgentDraft,
  newAgentFlow,
  newAgentStep,
  nodeTypesQuery,
  templatesQuery,
} from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { modelProvidersQuery } from "../../api/settings.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { FileUp, Plus } from "../../icons/icons.gen.ts";
import { commonStrings, formStrings, newAgentStrings as strings } from "../../strings.ts";
import { GraphPicture } from "../../ui/graph/graph-picture.tsx";
import { SearchInput } from "../../ui/list/list-page.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { Sentence } from "../../ui/text/sentence.tsx";
import { DescribeAgent } from "./describe-agent.tsx";
import { fillTemplate } from "./fill-template.ts";
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
      <DescribeAgent />
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

type Need = TemplateSummary["needs"][number];

/** The model of all steps, as a form. */
const modelForm: object = {
  type: "object",
  properties: {
    model: {
      type: "object",
      title: strings.model,
      widget: "model-settings",
      properties: {
        provider: { type: "string", title: "Provider", widget: "model-provider" },
        model: { type: "string", title: "Model", widget: "model" },
        credential: { type: "string", title: "Credential", widget: "credential" },
      },
    },
  },
};

/** A form with a field for everything that a template needs besides a model; undefined where that is nothing. */
function toNeedsForm(needs: readonly Need[]): object | undefined {
  const fields = needs.flatMap((need) => (need.kind === "model" ? [] : [[need.name, toField(need)] as const]));
  return fields.length === 0 ? undefined : { type: "object", properties: Object.fromEntries(fields) };
}

function toField({ kind, title, example }: Need): object {
  if (kind !== "service") return { type: "string", title, widget: kind };
  return { type: "string", title, description: strings.address, placeholder: example ?? "" };
}

/** Asks for the name of an agent whose steps come later. */
function BlankDialog({ onClose }: { onClose(): void }) {
  const create = useCreate();
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={strings.title}
      submitLabel={strings.submit}
      onSubmit={() => create({ name: name.trim() || strings.blankName, flowData: newAgentFlow }, newAgentStep)}
      onClose={onClose}
    >
      <NameInput value={name} placeholder={strings.blankName} onChange={setName} />
    </FormDialog>
  );
}

/** Asks for what a template needs. Everything but the name may wait. */
function TemplateDialog({ template, onClose }: { template: TemplateSummary; onClose(): void }) {
  const create = useCreate();
  const [name, setName] = useState(template.title);
  const [given, setGiven] = useState<JsonObject>({});
  const form = useMemo(() => toNeedsForm(template.needs), [template]);
  const submit = async () => {
    const { flowData, needs, starters } = await client.getTemplate({ id: template.id });
    const starterPrompts = Object.fromEntries(starters.map((prompt, index) => [index, { prompt }]));
    const chatbotConfig = starters.length > 0 ? { chatbotConfig: JSON.stringify({ starterPrompts }) } : {};
    await create({ name: name.trim(), flowData: fillTemplate({ flowData, needs }, given), ...chatbotConfig });
  };
  return (
    <FormDialog
      title={template.title}
      submitLabel={strings.submit}
      isComplete={name.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Hint>{template.summary}</Hint>
      <NameInput value={name} placeholder={template.title} onChange={setName} />
      {template.needs.some(({ kind }) => kind === "model") && <ModelChoice value={given} onChange={setGiven} />}
      {form && (
        <>
          <ConfigForm schema={form} value={given} onChange={setGiven} />
          <Hint size="xs">{strings.later}</Hint>
        </>
      )}
    </FormDialog>
  );
}

const openModel = { opensModel: true };

/** One line while the default model answers; fields for another once it is asked for. */
function ModelChoice({ value, onChange }: { value: JsonObject; onChange(value: JsonObject): void }) {
  const { data: providers = [] } = useQuery(modelProvidersQuery);
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ConfigForm schema={modelForm} value={value} onChange={onChange} context={openModel} />;
  const standard = providers.find(({ isDefault }) => isDefault);
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm">
        <Sentence text={(title) => commonStrings.labelled({ label: strings.model, value: title })}>
          <Text span fw={500} size="sm">
            {standard?.title ?? formStrings.defaultModel}
          </Text>
        </Sentence>
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {strings.otherModel}
      </Anchor>
    </Group>
  );
}

function NameInput({
  value,
  placeholder,
  onChange,
}: Record<"value" | "placeholder", string> & { onChange(name: string): void }) {
  return (
    <TextInput
      label={strings.name}
      data-autofocus
      autoComplete="off"
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Stores an agent as a draft, and opens it, with a step of it where one is to be filled in. */
function useCreate() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (fields: { name: string; flowData: string; chatbotConfig?: string }, step?: string) => {
    const { id } = await createAgentDraft(fields);
    await queries.invalidateQueries({ queryKey: agentKeys.all });
    await navigate({ to: "/agents/$agentId", params: { agentId: id }, search: step === undefined ? {} : { step } });
  };
}
