import { Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { documentStoresQuery } from "../../api/document-stores.ts";
import { toolsQuery } from "../../api/tools.ts";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import { type AssistantDraft, type AssistantTool, withTool } from "./assistant-draft.ts";
import { ResourceMultiSelect } from "./resource-multi-select.tsx";

type Props = { draft: AssistantDraft; change(changed: Partial<AssistantDraft>): void };

/** What an assistant may use by itself. */
export function ToolFields({ draft: { tools, toolIds, storeIds }, change }: Props) {
  const { data: stored } = useQuery(toolsQuery);
  const { data: stores } = useQuery(documentStoresQuery);
  const toggle = (tool: AssistantTool, description: string) => (
    <Switch
      label={strings.toolNames[tool]}
      description={description}
      checked={tools.includes(tool)}
      onChange={({ currentTarget }) => change({ tools: withTool(tools, tool, currentTarget.checked) })}
    />
  );
  return (
    <Stack gap="md">
      {toggle("file_search", strings.fileHelp)}
      {tools.includes("file_search") && (
        <ResourceMultiSelect
          label={strings.whichStores}
          placeholder={strings.chooseStores}
          choices={stores}
          ids={storeIds}
          error={storeIds.length === 0 ? strings.noStore : undefined}
          onChange={(ids) => change({ storeIds: ids })}
        />
      )}
      {toggle("function", strings.functionsHelp)}
      {tools.includes("function") && (
        <ResourceMultiSelect
          label={strings.whichTools}
          placeholder={strings.allTools}
          choices={stored}
          ids={toolIds}
          onChange={(ids) => change({ toolIds: ids })}
        />
      )}
      {toggle("code_interpreter", strings.codeHelp)}
    </Stack>
  );
}
