import { Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { agentKeys } from "../../../api/agents.ts";
import { client } from "../../../api/client.ts";
import type { StoreView } from "../../../api/document-store-view.ts";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { storeAgentFlow } from "./store-agent-flow.ts";

const strings = documentStoresStrings.use;

/** Makes an agent that answers from a store, and opens it beside a chat. */
export function UseInAgent({ store, onClose }: { store: StoreView; onClose(): void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(strings.nameOf(store.name));
  const [description, setDescription] = useState(strings.whenOf(store.name, store.description));
  const create = async () => {
    const flowData = storeAgentFlow(store, description.trim());
    const agent = await client.createAgent({ name: name.trim(), flowData });
    await navigate({ to: "/agents/$agentId", params: { agentId: agent.id }, search: { chat: true } });
    await queries.invalidateQueries({ queryKey: agentKeys.all });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
  };
  return (
    <FormDialog
      title={strings.title}
      submitLabel={strings.submit}
      isComplete={name.trim() !== ""}
      onSubmit={create}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {strings.help}
      </Text>
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
