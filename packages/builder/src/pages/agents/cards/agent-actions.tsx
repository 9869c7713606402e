import { Menu, TagsInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Agent } from "@weft/client";
import { useState } from "react";
import { agentKeys, agentsQuery, createAgentDraft, isUnpublished } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { useMay } from "../../../api/settings.ts";
import { UsedBy } from "../../../connections/used-by.tsx";
import { Copy, Pencil, Trash2 } from "../../../icons/icons.gen.ts";
import { agentsStrings, commonStrings } from "../../../strings.ts";
import { MenuAction } from "../../../ui/controls/actions.tsx";
import { RowMenu } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog, FormDialog } from "../../../ui/page/dialogs.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { AgentMenuItems } from "../agent-menu.tsx";
import { allTags, tagsOf, toCategory } from "../find-agents.ts";

export function AgentActions({ agent }: { agent: Agent }) {
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const mayWrite = useMay()("agents:write");
  const duplicate = useRequest(() => duplicateAgent(agent), {
    stale: [agentKeys.all],
    done: ({ name }) => agentsStrings.duplicated({ name }),
    isLoud: true,
  });
  return (
    <>
      <RowMenu name={agent.name}>
        <AgentMenuItems agentId={agent.id} />
        {mayWrite && (
          <>
            <Menu.Divider />
            <MenuAction icon={Pencil} label={agentsStrings.editTitle} onClick={() => setDialog("edit")} />
            <MenuAction icon={Copy} label={commonStrings.duplicate} onClick={() => duplicate.mutate()} />
            <MenuAction icon={Trash2} label={commonStrings.delete} isDanger onClick={() => setDialog("delete")} />
          </>
        )}
      </RowMenu>
      {dialog === "edit" && <AgentDialog agent={agent} onClose={close} />}
      <ConfirmDialog
        opened={dialog === "delete"}
        title={agentsStrings.deleteTitle}
        details={dialog === "delete" && <UsedBy kind="agent" id={agent.id} />}
        onConfirm={() => client.deleteAgent({ id: agent.id })}
        stale={[agentKeys.all]}
        done={agentsStrings.deleted({ name: agent.name })}
        onClose={close}
      >
        {agentsStrings.deleteText({ name: agent.name })}
      </ConfirmDialog>
    </>
  );
}

/** A new agent with the same flow and settings. It is not public, whatever the original is; of a draft it is one. */
async function duplicateAgent(agent: Agent): Promise<Agent> {
  const { flowData, chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
  const name = agentsStrings.copyName({ name: agent.name });
  const settings = { name, chatbotConfig, apiConfig, analytic, speechToText, category, type };
  if (!isUnpublished(agent)) return client.createAgent({ ...settings, flowData });
  const draft = await client.getAgentDraft({ id: agent.id });
  return createAgentDraft({ ...settings, flowData: draft.flowData });
}

type AgentDialogProps = { agent: Agent; onClose: () => void };

function AgentDialog({ agent, onClose }: AgentDialogProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const [name, setName] = useState(agent.name);
  const [tags, setTags] = useState(tagsOf(agent.category));
  const save = () => client.updateAgent({ id: agent.id }, { name: name.trim(), category: toCategory(tags) });
  return (
    <FormDialog
      title={agentsStrings.editTitle}
      isComplete={name.trim() !== ""}
      onSubmit={save}
      stale={[agentKeys.all]}
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
