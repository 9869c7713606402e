import { Skeleton } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { fetchAgent, nodeTypesQuery } from "../../api/agents.ts";
import { client, queryClient, withEtag } from "../../api/client.ts";
import { callerQuery, holds } from "../../api/settings.ts";
import { canvasStrings } from "../../strings.ts";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import classes from "./agent-editor.module.css";
import { AgentEditor } from "./agent-editor.tsx";
import { openFlow } from "./editor-state.ts";

/** One agent: its flow on a canvas, its settings, and a chat with it. */
export function AgentEditorPage() {
  const { agentId } = useParams({ from: "/agents/$agentId" });
  const [generation, setGeneration] = useState(0);
  const types = useQuery(nodeTypesQuery);
  // Never what a cache remembers: an editor that begins with an old flow would overwrite the new one.
  const opened = useQuery(openedAgentQuery(agentId, generation));
  const error = types.error ?? opened.error;
  if (error) {
    return (
      <div className={classes.failed}>
        <ErrorNotice
          error={error}
          title={canvasStrings.editor.notOpened}
          onRetry={() => void Promise.all([types.refetch(), opened.refetch()])}
        />
      </div>
    );
  }
  if (!types.data || !opened.data) return <EditorSkeleton />;
  return (
    <AgentEditor
      key={`${agentId} ${generation}`}
      {...opened.data}
      nodeTypes={types.data}
      onReload={() => setGeneration(generation + 1)}
    />
  );
}

function openedAgentQuery(agentId: string, generation: number) {
  return queryOptions({
    queryKey: ["opened-agent", agentId, generation],
    async queryFn({ signal }) {
      const found = await fetchAgent(agentId, signal);
      const { permissions } = await queryClient.fetchQuery(callerQuery);
      // Drafts are for those who may change the agent; others see what is published.
      const draft = holds(permissions, "agents:write")
        ? await withEtag((options) => client.getAgentDraft({ id: agentId }, { signal, ...options }))
        : { answer: { flowData: found.agent.flowData, pins: {} }, etag: "" };
      const { flowData, pins } = draft.answer;
      // A draft may hold nothing but pinned outputs.
      const isDraft = flowData !== found.agent.flowData;
      return { ...found, isDraft, draftEtag: draft.etag, pins, flow: await openFlow({ agentId, flowData }, signal) };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

function EditorSkeleton() {
  return (
    <div className={classes.editor} role="status" aria-label={canvasStrings.editor.opening}>
      <div className={classes.header}>
        <Skeleton height={20} width={220} />
      </div>
      <div className={classes.opening}>
        <Skeleton height={64} width={248} radius="lg" />
        <Skeleton height={64} width={248} radius="lg" />
      </div>
    </div>
  );
}
