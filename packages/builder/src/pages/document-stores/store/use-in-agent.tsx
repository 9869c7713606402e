import { Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { agentKeys } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import { documentStoreKeys, type StoreView } from "../../../api/document-stores.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { FormDialog } from "../../../ui/page/dialogs.tsx";
import { Hint } from "../../../ui/text/hint.tsx";

const strings = documentStoresStrings.use;

/** Makes an agent that answers from a store, and opens it beside a chat. */
export function UseInAgent({ store, onClose }: { store: StoreView; onClose(): void }) {
  const navigate = useNavigate();
  const [name, setName] = useState(strings.nameOf({ store: store.name }));
  const [description, setDescription] = useState(
    strings.whenOf({ store: store.name, hasDescription: store.description !== "", description: store.description }),
  );
  const create = async () => {
    const flowData = storeAgentFlow(store, description.trim());
    const agent = await client.createAgent({ name: name.trim(), flowData });
    await navigate({ to: "/agents/$agentId", params: { agentId: agent.id }, search: { chat: true } });
  };
  return (
    <FormDialog
      title={strings.title}
      submitLabel={strings.submit}
      isComplete={name.trim() !== ""}
      onSubmit={create}
      stale={[agentKeys.all, documentStoreKeys.all]}
      onClose={onClose}
    >
      <Hint>{strings.help}</Hint>
      <TextInput
        label={strings.name}
        data-autofocus
        required
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={strings.when}
        description={strings.whenHelp}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** A flow of one agent node that searches a store. `description` tells the model when. */
export function storeAgentFlow({ id, name }: Pick<StoreView, "id" | "name">, description: string): string {
  const knowledge = [{ storeId: id, name: searchToolName(name), description }];
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
      {
        id: "agent_0",
        type: "agent",
        version: 1,
        label: "Agent",
        position: { x: 344, y: 0 },
        config: { knowledge, citations: true },
      },
    ],
    edges: [{ id: "start_0-agent_0", source: "start_0", sourcePort: "out", target: "agent_0" }],
  });
}

/** How the model calls the search of a store: letters, digits and _, at most 64. */
export function searchToolName(storeName: string): string {
  const words = storeName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return `search_${(words ?? ["documents"]).join("_")}`.slice(0, 64);
}
