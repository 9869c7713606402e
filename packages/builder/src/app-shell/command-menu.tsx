import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { useEffect, useId, useMemo, useState } from "react";
import { agentsQuery, isUnpublished } from "../api/agents.ts";
import { documentStoresQuery } from "../api/document-stores.ts";
import { executionsQuery } from "../api/executions.ts";
import { useMay } from "../api/settings.ts";
import type { LucideIcon } from "../icons/create-icon.ts";
import {
  Bot,
  CircleDot,
  Columns2,
  FileUp,
  History,
  LayoutTemplate,
  LibraryBig,
  PackageOpen,
  Plus,
  Search,
  Zap,
} from "../icons/icons.gen.ts";
import { executionStrings, playgroundStrings, shellStrings } from "../strings.ts";
import { toPlainText } from "../ui/content/markdown-blocks.ts";
import { Hint } from "../ui/text/hint.tsx";
import classes from "./command-menu.module.css";
import { type PageAction, useOffer } from "./page-actions.ts";

const { commands: strings } = shellStrings;

type Entry = { key?: string; icon: LucideIcon; label: string; note?: string | false | undefined; act(): void };
type Group = { title: string; entries: readonly Entry[] };
type Props = {
  pages: readonly { to: string; label: string; icon: LucideIcon }[];
  actions: readonly PageAction[];
  onClose(): void;
};

/** Agents shown before anything is typed, and the maximum of each kind for a search. */
const mostAgents = 5;
const mostFound = 20;
const mostRuns = 5;
/** Characters from which runs are searched, and the pause in typing that begins a search. */
const shortestSearch = 3;
const typingMs = 200;

/** Searches all pages and items, and the actions of the open page. */
export function CommandMenu({ pages, actions, onClose }: Props) {
  const [query, setQuery] = useState("");
  const groups = useGroups(query, { pages, actions });
  const entries = groups.flatMap((group) => group.entries);
  const combobox = useCombobox();
  const listId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is open as long as the menu is
  useEffect(() => combobox.openDropdown(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with its first entry
  useEffect(() => void combobox.selectFirstOption(), [query, entries.length]);
  const choose = (value: string) => {
    onClose();
    entries[Number(value)]?.act();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={strings.title}
      classNames={{ header: classes.header, body: classes.body }}
      size="lg"
      yOffset="12vh"
    >
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            variant="unstyled"
            size="md"
            className={classes.search}
            aria-label={strings.search}
            placeholder={strings.search}
            leftSection={<Search size={18} aria-hidden />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && onClose()}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={classes.list} aria-label={strings.search} tabIndex={0}>
          {groups.map(({ title, entries: own }) => (
            <Combobox.Group key={title} label={title}>
              {own.map((entry) => (
                <Combobox.Option
                  key={entry.key ?? entry.label}
                  value={String(entries.indexOf(entry))}
                  className={classes.option}
                >
                  <entry.icon size={16} aria-hidden />
                  <span className={classes.label}>{entry.label}</span>
                  {entry.note && <Hint size="xs">{entry.note}</Hint>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {entries.length === 0 && <Combobox.Empty>{strings.nothing({ text: query })}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}

function useGroups(query: string, { pages, actions }: Pick<Props, "pages" | "actions">): Group[] {
  const navigate = useNavigate();
  const { actions: offered, items } = useOffer();
  const steps = useMemo(() => items?.() ?? [], [items]);
  const { data: stores } = useQuery(documentStoresQuery);
  const runs = useFoundRuns(query);
  const { data: agents } = useQuery(agentsQuery);
  const mayWrite = useMay()("agents:write");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ({ label }: { label: string }) => words.every((word) => label.toLowerCase().includes(word));
  const toAction = ({ label, act }: PageAction): Entry => ({ icon: Zap, label, act });
  const known = [agents ?? []].flat().filter((agent) => "flowData" in agent);
  const openAgent = (agent: Agent): Entry => ({
    key: agent.id,
    icon: Bot,
    label: agent.name,
    note: isUnpublished(agent) && strings.draft,
    act: () => void navigate({ to: "/agents/$agentId", params: { agentId: agent.id } }),
  });
  const isSearch = words.length > 0;
  const groups = [
    { title: strings.steps, entries: isSearch ? steps.map((step): Entry => ({ icon: CircleDot, ...step })) : [] },
    { title: strings.here, entries: offered.map(toAction) },
    { title: shellStrings.agents, entries: known.map(openAgent), most: isSearch ? mostFound : mostAgents },
    {
      title: shellStrings.documentStores,
      entries: (isSearch ? (stores ?? []) : []).map(
        ({ id, name }): Entry => ({
          key: id,
          icon: LibraryBig,
          label: name,
          act: () => void navigate({ to: "/document-stores/$storeId", params: { storeId: id } }),
        }),
      ),
    },
    {
      title: strings.create,
      entries: mayWrite
        ? [
            {
              icon: Plus,
              label: strings.newAgent,
              act: () => void navigate({ to: "/new", search: { blank: true } }),
            },
            { icon: LayoutTemplate, label: strings.newFromTemplate, act: () => void navigate({ to: "/new" }) },
            { icon: FileUp, label: strings.importAgent, act: () => void navigate({ to: "/agents/import" }) },
            { icon: Columns2, label: playgroundStrings.open, act: () => void navigate({ to: "/playground" }) },
            {
              icon: PackageOpen,
              label: strings.moveFromFlowise,
              act: () => void navigate({ to: "/settings/flowise" }),
            },
          ]
        : [],
    },
    {
      title: strings.pages,
      entries: pages.map(({ to, label, icon }) => ({ icon, label, act: () => void navigate({ to }) })),
    },
    { title: strings.everywhere, entries: actions.map(toAction) },
  ];
  const found = groups.map(({ title, entries, most = mostFound }) => {
    return { title, entries: entries.filter(isFound).slice(0, most) };
  });
  return [...found, { title: shellStrings.executions, entries: runs }].filter(({ entries }) => entries.length > 0);
}

/** Runs whose question, session or id has the text: the server searches for them. */
function useFoundRuns(query: string): Entry[] {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(query.trim(), typingMs);
  const isSearch = search.length >= shortestSearch && search === query.trim();
  const mayRead = useMay()("executions:read");
  const { data } = useQuery({
    ...executionsQuery({ search: search.slice(0, longestSearch), page: 1, limit: mostRuns }),
    enabled: isSearch && mayRead,
  });
  if (!isSearch || !mayRead) return [];
  return (data?.data ?? []).map(({ id, question, agentflow }) => ({
    key: id,
    icon: History,
    label: toPlainText(question) || executionStrings.noQuestion,
    note: agentflow?.name ?? false,
    act: () => void navigate({ to: "/executions/$executionId", params: { executionId: id } }),
  }));
}

/** In characters; the server takes no more. */
const longestSearch = 200;
