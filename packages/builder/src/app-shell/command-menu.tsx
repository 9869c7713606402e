import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { useEffect, useId, useState } from "react";
import { agentsQuery, isUnpublished } from "../api/agents.ts";
import { useMay } from "../api/settings.ts";
import type { LucideIcon } from "../icons/create-icon.ts";
import { Bot, FileUp, LayoutTemplate, PackageOpen, Plus, Search, Zap } from "../icons/icons.gen.ts";
import { shellStrings } from "../strings.ts";
import { Hint } from "../ui/text/hint.tsx";
import classes from "./command-menu.module.css";
import { type PageAction, useOfferedActions } from "./page-actions.ts";

const { commands: strings } = shellStrings;

type Entry = { key?: string; icon: LucideIcon; label: string; note?: string | false; act(): void };
type Group = { title: string; entries: readonly Entry[] };
type Props = {
  pages: readonly { to: string; label: string; icon: LucideIcon }[];
  actions: readonly PageAction[];
  onClose(): void;
};

/** Agents shown before anything is typed, and the maximum for a search. */
const mostAgents = { atFirst: 5, found: 20 } as const;

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
  const offered = useOfferedActions();
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
  const groups = [
    { title: strings.here, entries: offered.map(toAction) },
    { title: shellStrings.agents, entries: known.map(openAgent) },
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
  return groups
    .map(({ title, entries }) => {
      const most =
        title === shellStrings.agents ? mostAgents[words.length === 0 ? "atFirst" : "found"] : entries.length;
      return { title, entries: entries.filter(isFound).slice(0, most) };
    })
    .filter(({ entries }) => entries.length > 0);
}
