import { Anchor, Button, Menu, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Assistant } from "@weft/client";
import { useState } from "react";
import { assistantKeys, assistantsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { Pencil, Plus, Trash2, UserRound } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { commonStrings, assistantsStrings as strings } from "../../strings.ts";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import {
  actionsColumn,
  type Column,
  ListPage,
  RowMenu,
  SearchedTable,
  updatedColumn,
} from "../../ui/page/list-page.tsx";
import { notifyDone } from "../../ui/page/notices.tsx";

/** Every assistant, and a way to a new one. */
export function AssistantsPage() {
  const queries = useQueryClient();
  const assistants = useQuery(assistantsQuery);
  const [doomed, setDoomed] = useState<Assistant>();
  const remove = async ({ id, details }: Assistant) => {
    await client.deleteAssistant({ id });
    await queries.invalidateQueries({ queryKey: assistantKeys.all });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.deleted({ name: details.name }));
  };
  const createButton = (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/assistants/new" />}
    >
      {strings.create}
    </Button>
  );
  return (
    <ListPage
      strings={strings}
      icon={UserRound}
      query={assistants}
      action={createButton}
      list={(rows) => (
        <SearchedTable
          label={strings.title}
          searchLabel={strings.search}
          textOf={({ details: { name, description } }) => `${name} ${description}`}
          columns={toColumns(setDoomed)}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {doomed !== undefined && (
        <ConfirmDialog
          opened
          title={strings.deleteTitle}
          confirmLabel={commonStrings.delete}
          onConfirm={() => remove(doomed)}
          onClose={() => setDoomed(undefined)}
        >
          {strings.deleteText({ name: doomed.details.name })}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

type OnDelete = (assistant: Assistant) => void;

function toColumns(onDelete: OnDelete): Column<Assistant>[] {
  return [
    { key: "name", header: commonStrings.name, cell: (assistant) => <AssistantName assistant={assistant} /> },
    {
      key: "model",
      header: strings.model,
      cell: ({ details }) => <Dimmed text={details.model || strings.defaultModel} minWidth={150} />,
    },
    {
      key: "tools",
      header: strings.tools,
      cell: ({ details: { tools } }) => (
        <Dimmed text={formatList(tools.map((tool) => strings.toolNames[tool])) || strings.noTools} minWidth={120} />
      ),
    },
    updatedColumn(),
    actionsColumn((assistant) => <AssistantMenu assistant={assistant} onDelete={onDelete} />),
  ];
}

function Dimmed({ text, minWidth }: { text: string; minWidth?: number }) {
  return (
    <Text size="sm" c="dimmed" lineClamp={2} miw={minWidth} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}

function AssistantName({ assistant: { id, details } }: { assistant: Assistant }) {
  return (
    <>
      <Anchor
        size="sm"
        fw={500}
        lineClamp={2}
        style={{ overflowWrap: "anywhere" }}
        renderRoot={(props) => <Link {...props} to="/assistants/$assistantId" params={{ assistantId: id }} />}
      >
        {details.name}
      </Anchor>
      <Dimmed text={details.description || details.instructions} />
    </>
  );
}

function AssistantMenu({ assistant, onDelete }: { assistant: Assistant; onDelete: OnDelete }) {
  const navigate = useNavigate();
  const params = { assistantId: assistant.id };
  return (
    <RowMenu name={assistant.details.name}>
      <Menu.Item
        leftSection={<Pencil size={16} aria-hidden />}
        onClick={() => void navigate({ to: "/assistants/$assistantId", params })}
      >
        {commonStrings.edit}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={() => onDelete(assistant)}
      >
        {commonStrings.delete}
      </Menu.Item>
    </RowMenu>
  );
}
