import { Button, Chip, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { TemplateSummary } from "@weft/client";
import { FileUp, Plus } from "lucide-react";
import { useState } from "react";
import { agentKeys, newAgentFlow, nodeTypesQuery, templatesQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { commonStrings } from "../../strings.ts";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { SearchInput } from "../../ui/page/list-page.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { fillTemplate } from "./fill-template.ts";
import { GraphPicture } from "./graph-picture.tsx";
import classes from "./new-agent.module.css";
import { newAgentStrings as strings } from "./strings.ts";

/** What a new agent may begin with: nothing, a template, or files. */
export function NewAgentPage() {
  const templates = useQuery(templatesQuery);
  const [chosen, setChosen] = useState<TemplateSummary | "blank">();
  return (
    <Page
      title={strings.title}
      summary={strings.summary}
      actions={
        <Group gap="xs">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setChosen("blank")}>
            {strings.blank}
          </Button>
          <Button
            variant="default"
            leftSection={<FileUp size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/agents/import" {...props} />}
          >
            {strings.import}
          </Button>
        </Group>
      }
    >
      <ListBody query={templates} rowHeight={220}>
        {(rows) => <Templates templates={rows} onChoose={setChosen} />}
      </ListBody>
      {chosen && <CreateDialog template={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  );
}

type TemplatesProps = { templates: readonly TemplateSummary[]; onChoose(template: TemplateSummary): void };

function Templates({ templates, onChoose }: TemplatesProps) {
  const { data: types = [] } = useQuery(nodeTypesQuery);
  const [search, setSearch] = useState("");
  const [category, setCategory] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = templates.filter((one) => {
    const text = `${one.title} ${one.summary}`.toLowerCase();
    return (category === "" || one.category === category) && words.every((word) => text.includes(word));
  });
  return (
    <>
      <Group gap="sm">
        <SearchInput label={strings.search} value={search} onChange={setSearch} />
        <Chip.Group value={category} onChange={setCategory}>
          <Group gap={6} role="group" aria-label={strings.categories}>
            <Chip value="" size="xs" variant="outline">
              {strings.all}
            </Chip>
            {Object.entries(strings.category).map(([value, label]) => (
              <Chip key={value} value={value} size="xs" variant="outline">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {strings.count(found.length)}
        </Text>
      </Group>
      {found.length === 0 && <Text c="dimmed">{commonStrings.nothingFound(search)}</Text>}
      <ul className={classes.grid}>
        {found.map((one) => (
          <li key={one.id} className={classes.card}>
            <GraphPicture graph={one.graph} types={types} />
            <Title order={2} size="h5">
              {one.title}
            </Title>
            <Text size="sm">{one.summary}</Text>
            <Text size="xs" c="dimmed" mt="auto">
              {strings.needs(one.needs.map(({ title }) => title))}
            </Text>
            <Button variant="light" size="xs" aria-label={strings.use(one.title)} onClick={() => onChoose(one)}>
              {strings.useShort}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

type CreateDialogProps = { template: TemplateSummary | "blank"; onClose(): void };

/** The agent's name, and the addresses of the services that its template calls. */
function CreateDialog({ template, onClose }: CreateDialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState(template === "blank" ? "" : template.title);
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const services = template === "blank" ? [] : template.needs.filter(({ kind }) => kind === "service");
  const create = async () => {
    const flowData =
      template === "blank" ? newAgentFlow : fillTemplate(await client.getTemplate({ id: template.id }), given);
    const agent = await client.createAgent({ name: name.trim(), flowData });
    await queries.invalidateQueries({ queryKey: agentKeys.all });
    await navigate({ to: "/agents/$agentId", params: { agentId: agent.id } });
  };
  return (
    <FormDialog
      title={strings.title}
      submitLabel={strings.submit}
      isComplete={name.trim() !== ""}
      onSubmit={create}
      onClose={onClose}
    >
      <TextInput
        label={strings.name}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Stack gap="sm">
        {services.map(({ name: variable, title, example }) => (
          <TextInput
            key={variable}
            label={title}
            placeholder={example ?? ""}
            value={given[variable] ?? ""}
            onChange={(event) => setGiven({ ...given, [variable]: event.currentTarget.value })}
          />
        ))}
        {template !== "blank" && template.needs.length > 0 && (
          <Text size="xs" c="dimmed">
            {strings.later}
          </Text>
        )}
      </Stack>
    </FormDialog>
  );
}
