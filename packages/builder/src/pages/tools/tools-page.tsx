import { Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Tool } from "@weft/client";
import { toolKeys, toolsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { UsedBy } from "../../connections/used-by.tsx";
import { Copy, Pencil, Trash2, Wrench } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { commonStrings, toolsStrings } from "../../strings.ts";
import { MenuAction } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { type Column, RowMenu, updatedColumn } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { notifyFailed } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { parametersOf, toDraft } from "./tool-draft.ts";
import { ToolPicture } from "./tool-fields.tsx";

export function ToolsPage() {
  const queries = useQueryClient();
  const duplicate = async ({ name, description, color, iconSrc, schema, func }: Tool) => {
    const copy = { name: toolsStrings.copyOf({ name }), description, color, iconSrc, schema, func };
    const refresh = () => queries.invalidateQueries({ queryKey: toolKeys.all });
    await client.createTool(copy).then(refresh, notifyFailed);
  };
  return (
    <ResourcePage
      strings={toolsStrings}
      icon={Wrench}
      writes="tools:write"
      query={useQuery(toolsQuery)}
      columns={columns}
      nameOf={({ name }) => name}
      searchIn={({ name, description }) => `${name} ${description}`}
      create="/tools/new"
      menu={(tool, { onDelete }) => (
        <ToolMenu tool={tool} onDelete={onDelete} onDuplicate={() => void duplicate(tool)} />
      )}
      remove={({ id }) => client.deleteTool({ id })}
      stale={[toolKeys.all]}
      details={({ id }) => <UsedBy kind="tool" id={id} />}
    />
  );
}

const columns: readonly Column<Tool>[] = [
  { key: "name", header: commonStrings.name, cell: (tool) => <ToolName tool={tool} /> },
  { key: "parameters", header: toolsStrings.parameters, cell: (tool) => <Parameters tool={tool} /> },
  updatedColumn(),
];

function ToolName({ tool: { id, name, description, color, iconSrc } }: { tool: Tool }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <ToolPicture color={color} iconSrc={iconSrc} />
      <div style={{ minWidth: 0 }}>
        <TextLink to="/tools/$toolId" params={{ toolId: id }} fw={500}>
          {name}
        </TextLink>
        <Hint lineClamp={1}>{description}</Hint>
      </div>
    </Group>
  );
}

function Parameters({ tool }: { tool: Tool }) {
  const { parameters } = toDraft(tool);
  const rows = parametersOf(parameters);
  const text = rows === undefined ? toolsStrings.notReadable : formatList(rows.map(({ name }) => name));
  return <Hint lineClamp={1}>{text || toolsStrings.noParameters}</Hint>;
}

type ToolMenuProps = { tool: Tool; onDelete(): void; onDuplicate(): void };

function ToolMenu({ tool, onDelete, onDuplicate }: ToolMenuProps) {
  const navigate = useNavigate();
  return (
    <RowMenu name={tool.name}>
      <MenuAction
        icon={Pencil}
        label={commonStrings.edit}
        onClick={() => void navigate({ to: "/tools/$toolId", params: { toolId: tool.id } })}
      />
      <MenuAction icon={Copy} label={commonStrings.duplicate} onClick={onDuplicate} />
      <MenuAction icon={Trash2} label={commonStrings.delete} isDanger onClick={onDelete} />
    </RowMenu>
  );
}
