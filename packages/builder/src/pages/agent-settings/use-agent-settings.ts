import { useQueryClient } from "@tanstack/react-query";
import { agentKeys, agentQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { type StoredDraft, useStoredDraft } from "../../api/use-stored-draft.ts";
import { type AgentSettings, fromAgentSettings, toAgentSettings } from "./agent-settings-draft.ts";

/** The settings of an agent while they are edited. */
export function useAgentSettings(stored: StoredDraft<AgentSettings> & { id: string }) {
  const queries = useQueryClient();
  const update = (id: string, draft: AgentSettings, options: { ifMatch?: string }) =>
    client.updateAgent({ id }, fromAgentSettings(draft), options);
  return useStoredDraft(stored, {
    create: (draft, options) => update(stored.id, draft, options),
    update,
    async load(id) {
      const { agent, etag } = await queries.fetchQuery({ ...agentQuery(id), staleTime: 0 });
      return { draft: toAgentSettings(agent), etag };
    },
    onSaved: () => queries.invalidateQueries({ queryKey: agentKeys.all }),
  });
}
