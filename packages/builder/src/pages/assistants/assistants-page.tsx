import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Assistant } from "@weft/client";
import { assistantKeys, assistantsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { UserRound } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { commonStrings, assistantsStrings as strings } from "../../strings.ts";
import { TextLink } from "../../ui/controls/links.tsx";
import { type Column, EditDeleteMenu, updatedColumn } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { Hint } from "../../ui/text/hint.tsx";

export function AssistantsPage() {
  const navigate = useNavigate();
  return (
    <ResourcePage
      strings={strings}
      icon={UserRound}
      writes="assistants:write"
      query={useQuery(assistantsQuery)}
      columns={columns}
      nameOf={({ details: { name } }) => name}
      searchIn={({ details: { name, description } }) => `${name} ${description}`}
      create="/assistants/new"
      menu={({ id, details: { name } }, { onDelete }) => (
        <EditDeleteMenu
          name={name}
          onEdit={() => void navigate({ to: "/assistants/$assistantId", params: { assistantId: id } })}
          onDelete={onDelete}
        />
      )}
      remove={({ id }) => client.deleteAssistant({ id })}
      stale={[assistantKeys.all, documentStoreKeys.all]}
    />
  );
}

const columns: readonly Column<Assistant>[] = [
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
];

function Dimmed({ text, minWidth }: { text: string; minWidth?: number }) {
  return (
    <Hint lineClamp={2} miw={minWidth} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Hint>
  );
}

function AssistantName({ assistant: { id, details } }: { assistant: Assistant }) {
  return (
    <>
      <TextLink
        to="/assistants/$assistantId"
        params={{ assistantId: id }}
        fw={500}
        lineClamp={2}
        style={{ overflowWrap: "anywhere" }}
      >
        {details.name}
      </TextLink>
      <Dimmed text={details.description || details.instructions} />
    </>
  );
}
