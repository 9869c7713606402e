import { Anchor, Button, Group, Menu, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Tool } from "@weft/client";
import { useState } from "react";
import { toolKeys, toolsQuery } from "../../api/agents.ts";
import { client, errorSentence } from "../../api/client.ts";
import { UsedBy } from "../../connections/used-by.tsx";
import { Copy, Pencil, Plus, Trash2, Wrench } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { commonStrings, toolsStrings } from "../../strings.ts";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import {
  actionsColumn,
  type Column,
  ListPage,
  RowMenu,
  SearchedTable,
  updatedColumn,
} from "../../ui/page/list-page.tsx";
import { notifyDone, notifyFailed } from "../../ui/page/notices.tsx";
import { parametersOf, toDraft } from "./tool-draft.ts";
import { ToolPicture } from "./tool-fields.tsx";

export function ToolsPage() {
  const queries = useQueryClient();
  const tools = useQuery(toolsQuery);
  const [doomed, setDoomed] = useState<Tool>();
  const refresh = () => queries.invalidateQueries({ queryKey: toolKeys.all });
  const remove = async ({ id, name }: Tool) => {
    await client.deleteTool({ id });
    await refresh();
    notifyDone(toolsStrings.deleted({ name }));
  };
  const duplicate = async ({ name, description, color, iconSrc, schema, func }: Tool) => {
    const copy = { name: toolsStrings.copyOf({ name }), description, color, iconSrc, schema, func };
    await client.createTool(copy).then(refresh, (error: unknown) => notifyFailed(errorSentence(error)));
  };
  const createButton = (
    <Button component={Link} to="/tools/new" leftSection={<Plus size={16} aria-hidden />}>
      {toolsStrings.create}
    </Button>
  );
  return (
    <ListPage
      strings={toolsStrings}
      icon={Wrench}
      query={tools}
      action={createButton}
      list={(rows) => (
        <SearchedTable
          label={toolsStrings.title}
          searchLabel={toolsStrings.search}
          textOf={({ name, description }) => `${name} ${description}`}
          columns={toColumns({ onDelete: setDoomed, onDuplicate: (tool) => void duplicate(tool) })}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
    >
      {doomed !== undefined && (
        <ConfirmDialog
          opened
          title={toolsStrings.deleteTitle}
          details={<UsedBy kind="tool" id={doomed.id} />}
          confirmLabel={commonStrings.delete}
          onConfirm={() => remove(doomed)}
          onClose={() => setDoomed(undefined)}
        >
          {toolsStrings.deleteText({ name: doomed.name })}
        </ConfirmDialog>
      )}
    </ListPage>
  );
}

type Actions = { onDelete(tool: Tool): void; onDuplicate(tool: Tool): void };

function toColumns({ onDelete, onDuplicate }: Actions): Column<Tool>[] {
  return [
    { key: "name", header: commonStrings.name, cell: (tool) => <ToolName tool={tool} /> },
    { key: "parameters", header: toolsStrings.parameters, cell: (tool) => <Parameters tool={tool} /> },
    updatedColumn(),
    actionsColumn((tool) => <ToolMenu tool={tool} onDelete={onDelete} onDuplicate={onDuplicate} />),
  ];
}

function ToolName({ tool: { id, name, description, color, iconSrc } }: { tool: Tool }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <ToolPicture color={color} iconSrc={iconSrc} />
      <div style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => <Link {...props} to="/tools/$toolId" params={{ toolId: id }} />}
        >
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </div>
    </Group>
  );
}

function Parameters({ tool }: { tool: Tool }) {
  const { parameters } = toDraft(tool);
  const rows = parametersOf(parameters);
  const text = rows === undefined ? toolsStrings.notReadable : formatList(rows.map(({ name }) => name));
  return (
    <Text size="sm" c="dimmed" lineClamp={1}>
      {text || toolsStrings.noParameters}
    </Text>
  );
}

function ToolMenu({ tool, onDelete, onDuplicate }: { tool: Tool } & Actions) {
  const navigate = useNavigate();
  return (
    <RowMenu name={tool.name}>
      <Menu.Item
        leftSection={<Pencil size={16} aria-hidden />}
        onClick={() => void navigate({ to: "/tools/$toolId", params: { toolId: tool.id } })}
      >
        {commonStrings.edit}
      </Menu.Item>
      <Menu.Item leftSection={<Copy size={16} aria-hidden />} onClick={() => onDuplicate(tool)}>
        {commonStrings.duplicate}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={() => onDelete(tool)}
      >
        {commonStrings.delete}
      </Menu.Item>
    </RowMenu>
  );
}
