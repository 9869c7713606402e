import { TagsInput, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { useState } from "react";
import { agentKeys, agentsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { agentsStrings } from "../../strings/agents.ts";
import { commonStrings } from "../../strings/common.ts";

import { allTags, tagsOf, toCategory } from "./tags.ts";

type Props = {
  /** Absent: a new one, which is opened at once. */
  agent?: Agent;
  onClose: () => void;
};

/** Name and tags of an agent. */
export function AgentDialog({ agent, onClose }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: agents = [] } = useQuery(agentsQuery);
  const [name, setName] = useState(agent?.name ?? "");
  const [tags, setTags] = useState(agent === undefined ? [] : tagsOf(agent));
  const save = async () => {
    const fields = { name: name.trim(), category: toCategory(tags) };
    const saved = await (agent === undefined
      ? client.createAgent({ ...fields, flowData: newAgentFlow })
      : client.updateAgent({ id: agent.id }, fields));
    await queries.invalidateQueries({ queryKey: agentKeys.all });
    if (agent === undefined) await navigate({ to: "/agents/$agentId", params: { agentId: saved.id } });
  };
  return (
    <FormDialog
      title={agent === undefined ? agentsStrings.createTitle : agentsStrings.editTitle}
      submitLabel={agent === undefined ? agentsStrings.createSubmit : commonStrings.save}
      isComplete={name.trim() !== ""}
      onSubmit={save}
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

/** What a new agent begins with: a model that answers. It can be tried as it is. */
const newAgentFlow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
    { id: "agent_0", type: "agent", version: 1, label: "Agent", position: { x: 280, y: 0 }, config: {} },
  ],
  edges: [{ id: "start_0-agent_0", source: "start_0", sourcePort: "out", target: "agent_0" }],
});
