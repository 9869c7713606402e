import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { agentQuery } from "../../api/agents.ts";
import { BackToAgent } from "../../components/back-to-agent.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import { toAgentSettings } from "./agent-settings-draft.ts";
import { AgentSettingsEditor } from "./agent-settings-editor.tsx";

/** What an agent is besides its flow: who may use it, how often, and what its chat offers. */
export function AgentSettingsPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/settings" });
  // Edited is what the server has now, not what another page read before.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...agentQuery(agentId),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data === undefined || !isFetchedAfterMount) {
    return (
      <Page title={strings.loadingTitle} summary={<BackToAgent agentId={agentId} />}>
        {error === null ? <Skeleton height={360} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const { agent, etag } = data;
  return (
    <AgentSettingsEditor
      key={agentId}
      name={agent.name}
      flowData={agent.flowData}
      stored={{ id: agentId, etag, draft: toAgentSettings(agent) }}
    />
  );
}
