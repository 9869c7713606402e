import { Alert, Anchor, Badge, Button, Chip, Group, Menu, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { Bot, Copy, Info, MessageSquare, Pencil, Plus, Trash2 } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { agentKeys, agentsQuery } from "../../api/agents.ts";
import { client, errorSentence } from "../../api/client.ts";
import { defaultModelQuery } from "../../api/settings.ts";
import { formatList } from "../../languages/index.ts";
import { commonStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { ConfirmDialog, FormDialog } from "../../ui/page/dialogs.tsx";
import { ListPage, RowMenu, SearchInput } from "../../ui/page/list-page.tsx";
import { notifyDone, notifyFailed } from "../../ui/page/notices.tsx";
import { AgentMenuItems } from "./agent-menu.tsx";
import { AgentSteps } from "./agent-steps.tsx";
import classes from "./agents.module.css";
import { allTags, findAgents, tagsOf, toCategory } from "./find-agents.ts";
import { agentsStrings } from "./strings.ts";

export function AgentsPage() {
  const agents = useQuery(agentsQuery);
  const createButton = (
    <Button leftSection={<Plus size={16} aria-hidden />} renderRoot={(props) => <Link to="/new" {...props} />}>
      {agentsStrings.create}
    </Button>
  );
  return (
    <ListPage
      strings={agentsStrings}
      icon={Bot}
      query={agents}
      rowHeight={132}
      action={createButton}
      notice={<RehearsalNotice />}
      list={(rows) => <AgentGrid agents={rows} />}
    />
  );
}

/** Says that no real model answers, where that is so, and where to connect one. */
function RehearsalNotice() {
  const { data } = useQuery(defaultModelQuery);
  if (data?.provider !== "rehearsal") return null;
  return (
    <Alert color="iris" variant="light" icon={<Info size={18} aria-hidden />} py="xs">
      {agentsStrings.rehearsal}{" "}
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/models" {...props} />}>
        {agentsStrings.connectModel}
      </Anchor>
    </Alert>
  );
}

/** The agents as cards, with a search in their names and tags. */
function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const known = useMemo(() => allTags(agents), [agents]);
  // A tag that went away with its last agent filters no more.
  const tags = chosen.filter((tag) => known.includes(tag));
  const words = useDeferredValue(search);
  const found = findAgents(agents, { search: words, tags });
  return (
    <>
      <Group gap="sm">
        <SearchInput label={agentsStrings.search} value={search} onChange={setSearch} />
        {known.length > 0 && (
          <Chip.Group multiple value={tags} onChange={setChosen}>
            <Group gap={6} miw={0} role="group" aria-label={agentsStrings.filterByTag}>
              {known.map((tag) => (
                <Chip
                  key={tag}
                  value={tag}
                  size="xs"
                  variant="outline"
                  classNames={{ root: classes.filter, label: classes.filter }}
                >
                  {tag}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )}
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {agentsStrings.count(found.length)}
        </Text>
      </Group>
      {found.length === 0 ? (
        <Text c="dimmed" size="sm" ta="center" py="xl">
          {commonStrings.nothingFound(formatList([words, ...tags].filter(Boolean)))}
        </Text>
      ) : (
        <ul className={classes.grid}>
          {found.map((agent) => (
            <AgentCard key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
    </>
  );
}

function AgentCard({ agent }: { agent: Agent }) {
  const { id, name, isPublic, updatedDate } = agent;
  const tags = tagsOf(agent);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <div className={classes.icon}>
          <Bot size={20} strokeWidth={1.75} aria-hidden />
        </div>
        <Link to="/agents/$agentId" params={{ agentId: id }} className={classes.name}>
          {name}
        </Link>
        <div className={classes.above}>
          <AgentMenu agent={agent} />
        </div>
      </div>
      <AgentSteps agent={agent} />
      <div className={classes.tags}>
        {isPublic && (
          <Badge size="sm" variant="light" color="teal">
            {agentsStrings.publicBadge}
          </Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag} size="sm" variant="light" color="gray" tt="none">
            {tag}
          </Badge>
        ))}
      </div>
      <div className={classes.foot}>
        <Moment at={updatedDate} />
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.above}
          leftSection={<MessageSquare size={14} aria-hidden />}
          aria-label={agentsStrings.chatWith(name)}
          renderRoot={(props) => (
            <Link to="/agents/$agentId" params={{ agentId: id }} search={{ chat: true }} {...props} />
          )}
        >
          {agentsStrings.chat}
        </Button>
      </div>
    </li>
  );
}

function AgentMenu({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: agentKeys.all });
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const duplicate = useMutation({
    mutationFn: () => duplicateAgent(agent),
    async onSuccess({ name }) {
      await refresh();
      notifyDone(agentsStrings.duplicated(name));
    },
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  const remove = async () => {
    await client.deleteAgent({ id: agent.id });
    await refresh();
    notifyDone(agentsStrings.deleted(agent.name));
  };
  return (
    <>
      <RowMenu name={agent.name}>
        <AgentMenuItems agentId={agent.id} />
        <Menu.Divider />
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
          {agentsStrings.editTitle}
        </Menu.Item>
        <Menu.Item leftSection={<Copy size={16} aria-hidden />} onClick={() => duplicate.mutate()}>
          {commonStrings.duplicate}
        </Menu.Item>
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => setDialog("delete")}
        >
          {commonStrings.delete}
        </Menu.Item>
      </RowMenu>
      {dialog === "edit" && <AgentDialog agent={agent} onClose={close} />}
      <ConfirmDialog
        opened={dialog === "delete"}
        title={agentsStrings.deleteTitle}
        confirmLabel={commonStrings.delete}
        onConfirm={remove}
        onClose={close}
      >
        {agentsStrings.deleteText(agent.name)}
      </ConfirmDialog>
    </>
  );
}

/** A new agent with the same flow and settings. It is not public, whatever the original is. */
function duplicateAgent({ name, ...agent }: Agent): Promise<Agent> {
  const { flowData, chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
  const settings = { chatbotConfig, apiConfig, analytic, speechToText, category, type };
  return client.createAgent({ name: agentsStrings.copyName(name), flowData, ...settings });
}

type AgentDialogProps = { agent: Agent; onClose: () => void };

/** Name and tags of an agent. */
function AgentDialog({ agent, onClose }: AgentDialogProps) {
  const queries = useQueryClient();
  const { data: agents = [] } = useQuery(agentsQuery);
  const [name, setName] = useState(agent.name);
  const [tags, setTags] = useState(tagsOf(agent));
  const save = async () => {
    await client.updateAgent({ id: agent.id }, { name: name.trim(), category: toCategory(tags) });
    await queries.invalidateQueries({ queryKey: agentKeys.all });
  };
  return (
    <FormDialog
      title={agentsStrings.editTitle}
      submitLabel={commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={agentsStrings.name}
        placeholder={agentsStrings.namePlaceholder}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TagsInput
        label={agentsStrings.tags}
        description={agentsStrings.tagsHint}
        data={allTags(agents)}
        splitChars={[",", ";"]}
        value={tags}
        onChange={setTags}
      />
    </FormDialog>
  );
}
