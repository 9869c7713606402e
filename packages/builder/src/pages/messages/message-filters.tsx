import { Group, Select, TextInput } from "@mantine/core";
import type { ChatMessage, Feedback } from "@weft/client";
import { useState } from "react";
import { Download, FilterX } from "../../icons/icons.gen.ts";
import { messagesStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { useRequest } from "../../ui/page/requests.ts";
import { TextFilter } from "../../ui/text/text-filter.tsx";
import { type ChangeSearch, hasFilters, type MessagesSearch, toMessageFilter } from "./messages-search.ts";
import { readAllMessages, toCsv } from "./queries.ts";

type Props = {
  agentId: string;
  agentName: string;
  search: MessagesSearch;
  onSearch: ChangeSearch;
};

/** Which messages are listed and exported. What is typed takes effect after a short pause. */
export function MessageFilters({ agentId, agentName, search, onSearch }: Props) {
  const [clears, setClears] = useState(0);
  const { chatTypes, feedbacks } = messagesStrings;
  const change = <Name extends keyof MessagesSearch>(name: Name, value: MessagesSearch[Name] | null | "") => {
    onSearch(({ [name]: _former, open: _open, ...rest }) => (value ? { ...rest, [name]: value } : rest));
  };
  const clear = () => {
    setClears((count) => count + 1);
    onSearch(() => ({}));
  };
  return (
    <Group gap="sm" align="end" mb="md">
      <DateInputs search={search} onFrom={(day) => change("from", day)} onUntil={(day) => change("until", day)} />
      <Select
        label={messagesStrings.chatType}
        placeholder={messagesStrings.anywhere}
        data={Object.entries(chatTypes).map(([value, label]) => ({ value, label }))}
        value={search.where ?? null}
        onChange={(where) => change("where", where as MessagesSearch["where"])}
        clearable
        w={145}
      />
      <Select
        label={messagesStrings.feedback}
        placeholder={messagesStrings.noFilter}
        data={Object.entries(feedbacks).map(([value, label]) => ({ value, label }))}
        value={search.feedback ?? null}
        onChange={(feedback) => change("feedback", feedback as MessagesSearch["feedback"])}
        clearable
        w={130}
      />
      <TextFilter
        // A field that is new holds nothing that was typed a moment before the filters were cleared.
        key={clears}
        label={messagesStrings.session}
        placeholder={messagesStrings.sessionPlaceholder}
        value={search.session ?? ""}
        width={150}
        onChange={(session) => change("session", session)}
      />
      {hasFilters(search) && (
        <Action icon={FilterX} label={messagesStrings.clearFilters} variant="subtle" color="gray" onClick={clear} />
      )}
      <ExportButton agentId={agentId} agentName={agentName} search={search} />
    </Group>
  );
}

type DateInputsProps = { search: MessagesSearch; onFrom(day: string): void; onUntil(day: string): void };

function DateInputs({ search, onFrom, onUntil }: DateInputsProps) {
  return (
    <>
      <TextInput
        type="date"
        label={messagesStrings.from}
        w={140}
        value={search.from ?? ""}
        max={search.until}
        onChange={(event) => onFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={messagesStrings.until}
        w={140}
        value={search.until ?? ""}
        min={search.from}
        onChange={(event) => onUntil(event.currentTarget.value)}
      />
    </>
  );
}

/** Downloads every message that the filters let through, as a table. */
function ExportButton({ agentId, agentName, search }: Omit<Props, "onSearch">) {
  const exporting = useRequest(() => readAllMessages(agentId, toMessageFilter(search)), {
    next: (rows) => downloadText(messagesStrings.exportFile({ name: agentName }), toMessagesCsv(rows), "text/csv"),
    isLoud: true,
  });
  return <Action icon={Download} label={messagesStrings.exportCsv} ml="auto" runs={exporting} />;
}

type Row = {
  message: Pick<ChatMessage, "createdDate" | "sessionId" | "chatId" | "chatType" | "role" | "content" | "leadEmail">;
  feedback: Pick<Feedback, "rating" | "content"> | undefined;
};

/** Messages as a table for spreadsheets, a message in a row. */
function toMessagesCsv(rows: readonly Row[]): string {
  const { columns, chatTypes, feedbacks, user, agent } = messagesStrings;
  return toCsv(
    Object.values(columns),
    rows.map(({ message, feedback }) => [
      message.createdDate,
      message.sessionId,
      message.chatId,
      chatTypes[message.chatType],
      message.role === "userMessage" ? user : agent,
      message.content,
      feedback ? feedbacks[feedback.rating] : "",
      feedback?.content ?? "",
      message.leadEmail,
    ]),
  );
}
