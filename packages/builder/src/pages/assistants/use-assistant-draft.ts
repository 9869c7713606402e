import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { agentKeys } from "../../api/agents.ts";
import { assistantKeys, assistantQuery } from "../../api/assistants.ts";
import { client } from "../../api/client.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { type StoredDraft, useStoredDraft } from "../../api/use-stored-draft.ts";
import { type AssistantDraft, fromAssistantDraft, toAssistantDraft } from "./assistant-draft.ts";

/** An assistant while it is edited. */
export function useAssistantDraft(stored: StoredDraft<AssistantDraft>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useStoredDraft(stored, {
    create: (draft, options) => client.createAssistant(fromAssistantDraft(draft), options),
    update: (id, draft, options) => client.updateAssistant({ id }, fromAssistantDraft(draft), options),
    async load(id) {
      const { assistant, etag } = await queries.fetchQuery({ ...assistantQuery(id), staleTime: 0 });
      return { draft: toAssistantDraft(assistant), etag };
    },
    async onSaved(assistant) {
      await queries.invalidateQueries({ queryKey: [...assistantKeys.all, "list"] });
      await queries.invalidateQueries({ queryKey: agentKeys.one(assistant.id) });
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      if (stored.id !== undefined) return;
      const params = { assistantId: assistant.id };
      await navigate({ to: "/assistants/$assistantId", params, ignoreBlocker: true, replace: true });
    },
  });
}
