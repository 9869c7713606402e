import { Badge, Group, Select, Text, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Conversation } from "@weft/client";
import { useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { FilterX, MessagesSquare, Search, ThumbsDown, ThumbsUp } from "../../icons/icons.gen.ts";
import { conversationsStrings, messagesStrings } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { ListBody } from "../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { TextFilter } from "../../ui/text/text-filter.tsx";
import messages from "../messages/messages.module.css";
import classes from "./conversations.module.css";
import { type ConversationsSearch, hasFilters } from "./conversations-search.ts";
import { OpenConversation } from "./open-conversation.tsx";
import { conversationsQuery } from "./queries.ts";

type Change = { [Key in keyof ConversationsSearch]?: ConversationsSearch[Key] | undefined };

/** What people and agents said to each other: the list at the left, the conversation that is read at the right. */
export function ConversationsPage() {
  const search = useSearch({ from: "/conversations" });
  const navigate = useNavigate({ from: "/conversations" });
  const [clears, setClears] = useState(0);
  const { data: agents = [] } = useQuery(agentsQuery);
  const nameOf = new Map(agents.map(({ id, name }) => [id, name]));
  const query = useInfiniteQuery(conversationsQuery(search));
  const change = (changes: Change) => {
    const kept = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(kept) as ConversationsSearch, replace: true });
  };
  const clear = () => {
    setClears((count) => count + 1);
    void navigate({ search: {}, replace: true });
  };
  return (
    <Page title={conversationsStrings.title} summary={conversationsStrings.summary}>
      <Filters key={clears} search={search} agents={nameOf} onChange={change} onClear={clear} />
      <ListBody query={query} rowHeight={64}>
        {({ pages }) => {
          // One that goes on since then is listed by its newest messages.
          const listed = pages.flatMap(({ data }) => data);
          const list = [...Map.groupBy(listed, ({ id }) => id).values()].flatMap(([newest]) => newest ?? []);
          const { open } = search;
          if (list.length === 0 && open === undefined) return <Nothing isFiltered={hasFilters(search)} />;
          return (
            <div className={messages.split}>
              <nav className={messages.sessions} aria-label={conversationsStrings.list}>
                {list.length === 0 && <Hint p="sm">{conversationsStrings.nothingTitle}</Hint>}
                {list.map((one) => (
                  <Row
                    key={one.id}
                    conversation={one}
                    agentName={nameOf.get(one.agentId)}
                    isOpen={one.id === open}
                    onOpen={() => change({ open: one.id })}
                  />
                ))}
                {query.hasNextPage && (
                  <Action
                    label={conversationsStrings.more}
                    variant="subtle"
                    size="xs"
                    onClick={() => void query.fetchNextPage()}
                    loading={query.isFetchingNextPage}
                  />
                )}
              </nav>
              {open === undefined ? (
                <Hint className={messages.placeholder}>{conversationsStrings.choose}</Hint>
              ) : (
                <OpenConversation key={open} id={open} agentNames={nameOf} />
              )}
            </div>
          );
        }}
      </ListBody>
    </Page>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { nothingTitle, nothingText, emptyTitle, emptyText } = conversationsStrings;
  return (
    <EmptyState
      icon={MessagesSquare}
      title={isFiltered ? nothingTitle : emptyTitle}
      text={isFiltered ? nothingText : emptyText}
    />
  );
}

type FiltersProps = {
  search: ConversationsSearch;
  agents: ReadonlyMap<string, string>;
  onChange: (change: Change) => void;
  onClear: () => void;
};

/** Which conversations are listed. What is typed takes effect after a short pause. */
function Filters({ search, agents, onChange, onClear }: FiltersProps) {
  const { ratings, states } = conversationsStrings;
  const toOptions = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Group gap="sm" align="end" mb="md">
      <TextFilter
        label={conversationsStrings.search}
        placeholder={conversationsStrings.searchPlaceholder}
        value={search.q ?? ""}
        width={220}
        icon={<Search size={15} aria-hidden />}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <Select
        label={conversationsStrings.agent}
        placeholder={conversationsStrings.anyAgent}
        data={Array.from(agents, ([value, label]) => ({ value, label }))}
        value={search.agent ?? null}
        searchable
        clearable
        w={180}
        onChange={(agent) => onChange({ agent: agent ?? undefined })}
      />
      <Select
        label={conversationsStrings.rating}
        placeholder={conversationsStrings.anyRating}
        data={toOptions(ratings)}
        value={search.rating ?? null}
        clearable
        w={150}
        onChange={(rating) => onChange({ rating: (rating ?? undefined) as ConversationsSearch["rating"] })}
      />
      <Select
        label={conversationsStrings.state}
        placeholder={conversationsStrings.anyState}
        data={toOptions(states)}
        value={search.state ?? null}
        clearable
        w={190}
        onChange={(state) => onChange({ state: (state ?? undefined) as ConversationsSearch["state"] })}
      />
      <TextFilter
        label={conversationsStrings.label}
        placeholder={conversationsStrings.labelPlaceholder}
        value={search.label ?? ""}
        width={130}
        onChange={(label) => onChange({ label: label || undefined })}
      />
      {hasFilters(search) && (
        <Action icon={FilterX} label={conversationsStrings.clear} variant="subtle" color="gray" onClick={onClear} />
      )}
    </Group>
  );
}

type RowProps = {
  conversation: Conversation;
  agentName: string | undefined;
  isOpen: boolean;
  onOpen: () => void;
};

function Row({ conversation, agentName, isOpen, onOpen }: RowProps) {
  const { first, last, messageCount, thumbsUp, thumbsDown, isWaiting, hasFailed, handOver, takenOver, labels } =
    conversation;
  const badges = [
    ...(handOver === null ? [] : [{ label: conversationsStrings.handOver, color: "orange" }]),
    ...(takenOver === null ? [] : [{ label: takenOver.name || conversationsStrings.person, color: "iris" }]),
    ...(isWaiting ? [{ label: conversationsStrings.waiting, color: "yellow" }] : []),
    ...(hasFailed ? [{ label: conversationsStrings.failed, color: "red" }] : []),
    ...labels.map((label) => ({ label, color: "gray" })),
  ];
  return (
    <UnstyledButton className={messages.session} aria-current={isOpen || undefined} onClick={onOpen}>
      <span className={messages.sessionTitle}>
        <Text size="sm" fw={500} truncate>
          {first.content.trim() || conversationsStrings.untitled}
        </Text>
        {thumbsDown > 0 && <ThumbsDown size={14} aria-label={messagesStrings.badAnswer} />}
        {thumbsDown === 0 && thumbsUp > 0 && <ThumbsUp size={14} aria-label={messagesStrings.goodAnswer} />}
      </span>
      <Hint size="xs" component="span" truncate>
        {agentName ?? ""} · <Moment at={last.createdDate} /> · {conversationsStrings.count({ count: messageCount })}
      </Hint>
      {badges.length > 0 && (
        <span className={classes.badges}>
          {badges.map(({ label, color }) => (
            <Badge key={label} size="xs" variant="light" color={color} tt="none">
              {label}
            </Badge>
          ))}
        </span>
      )}
    </UnstyledButton>
  );
}
