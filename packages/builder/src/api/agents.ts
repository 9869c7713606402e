import { queryOptions } from "@tanstack/react-query";
import { type Agent, createClient, type FlowDraftRequest } from "@weft/client";
import type { FlowDraft, FlowEdit } from "@weft/schema";
import { client, isApiError, withEtag } from "./client.ts";

/** Keys of everything about agents; invalidate `all` after a change to any. */
export const agentKeys = {
  all: ["agents"] as const,
  one: (id: string) => ["agents", id] as const,
};

export const agentsQuery = queryOptions({
  queryKey: [...agentKeys.all, "list"],
  queryFn: ({ signal }) => client.listAgents({}, { signal }),
});

/** An agent with its entity tag, which `updateAgent` takes as `ifMatch`. */
export const agentQuery = (id: string) =>
  queryOptions({ queryKey: agentKeys.one(id), queryFn: ({ signal }) => fetchAgent(id, signal) });

export async function fetchAgent(id: string, signal: AbortSignal) {
  const { answer: agent, etag } = await withEtag((options) => client.getAgent({ id }, { signal, ...options }));
  return { agent, etag };
}

/** The saved flows of an agent, newest first, without the flows themselves. */
export const agentVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentKeys.one(id), "versions"],
    queryFn: ({ signal }) => client.listAgentVersions({ id }, { signal }),
    staleTime: 0,
  });

/** One saved flow, as `read` understands it. It never changes. */
export const agentVersionQuery = <T>(id: string, number: number, read: (flowData: string) => Promise<T>) =>
  queryOptions({
    queryKey: [...agentKeys.one(id), "versions", number],
    queryFn: async ({ signal }) => read((await client.getAgentVersion({ id, number }, { signal })).flowData),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The schedules of all agents, by agent. Refetched, as the next run of one moves on. */
export const schedulesQuery = queryOptions({
  queryKey: [...agentKeys.all, "schedules"],
  queryFn: ({ signal }) => client.listSchedules({ signal }),
  select: (schedules) => new Map(schedules.map((schedule) => [schedule.chatflowid, schedule])),
  refetchInterval: 30_000,
});

/** Sends no credentials, as a chat client on a website does. */
const visitor = createClient({ baseUrl: "" });

const unauthenticated = 401;

/** Whether this server lets visitors without a key chat with an agent. */
export const isOpenQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKeys.one(agentId), "is-open"],
    staleTime: 0,
    async queryFn({ signal }) {
      try {
        await visitor.getChatConfig({ id: agentId }, { signal });
        return true;
      } catch (error) {
        if (isApiError(error) && error.status === unauthenticated) return false;
        throw error;
      }
    },
  });

export const assistantKeys = {
  all: ["assistants"] as const,
  one: (id: string) => ["assistants", "one", id] as const,
};

export const assistantsQuery = queryOptions({
  queryKey: [...assistantKeys.all, "list"],
  queryFn: ({ signal }) => client.listAssistants({ signal }),
});

/** An assistant with its entity tag, which `updateAssistant` takes as `ifMatch`. */
export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: assistantKeys.one(id),
    async queryFn({ signal }) {
      const { answer: assistant, etag } = await withEtag((options) =>
        client.getAssistant({ id }, { signal, ...options }),
      );
      return { assistant, etag };
    },
  });

export const toolKeys = { all: ["tools"] as const };

export const toolsQuery = queryOptions({
  queryKey: toolKeys.all,
  queryFn: ({ signal }) => client.listTools({ signal }),
});

/** A tool with its entity tag, which `updateTool` takes as `ifMatch`. */
export const toolQuery = (id: string) =>
  queryOptions({
    queryKey: [...toolKeys.all, id],
    async queryFn({ signal }) {
      const { answer: tool, etag } = await withEtag((options) => client.getTool({ id }, { signal, ...options }));
      return { tool, etag };
    },
  });

/** The catalogue changes only with the server's version. */
const staleTime = Number.POSITIVE_INFINITY;

export const nodeTypesQuery = queryOptions({
  queryKey: ["node-types"],
  queryFn: ({ signal }) => client.listNodeTypes({ signal }),
  staleTime,
});

/** The tools agents can call; they change only with the server's version. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => client.listIntegrations({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Starting points for a new agent. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: ({ signal }) => client.listTemplates({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The stored flow of an agent that nobody has published yet: what it does is in its draft alone. */
const unpublishedFlow = JSON.stringify({ weft: 1, nodes: [], edges: [] });

/** Whether an agent was never published: its stored flow has no steps. */
export function isUnpublished({ flowData }: Pick<Agent, "flowData">): boolean {
  try {
    const { nodes = [] }: { nodes?: unknown } = JSON.parse(flowData);
    return Array.isArray(nodes) && nodes.length === 0;
  } catch {
    return false;
  }
}

type NewAgent = Parameters<typeof client.createAgent>[0];

/** Creates an agent whose flow is an unpublished draft. Leaves nothing behind if it rejects. */
export async function createAgentDraft({ flowData, ...settings }: NewAgent): Promise<Agent> {
  const agent = await client.createAgent({ ...settings, flowData: unpublishedFlow });
  try {
    await client.saveAgentDraft({ id: agent.id }, { flowData });
  } catch (error) {
    await client.deleteAgent({ id: agent.id }).catch(() => undefined);
    throw error;
  }
  return agent;
}

/** What an agent does or, where it was never published, would do: its flow, as text. */
export const shownFlowQuery = (agent: Agent) =>
  queryOptions({
    queryKey: [...agentKeys.one(agent.id), "shown-flow", agent.updatedDate],
    queryFn: async ({ signal }) => (await client.getAgentDraft({ id: agent.id }, { signal })).flowData,
    enabled: isUnpublished(agent),
    ...(isUnpublished(agent) ? {} : { initialData: agent.flowData }),
  });

/** Where a drafted agent's draft is remembered until the page is loaded again. */
export const draftedKey = (agentId: string) => ["drafted", agentId] as const;

/** Lets a model draft a flow. Rejects with the draft's error; aborting the signal cancels it on the server. */
export async function draftFlow(
  request: FlowDraftRequest,
  { onEdit, signal }: { onEdit(edit: FlowEdit): void; signal: AbortSignal },
): Promise<FlowDraft | undefined> {
  let draft: FlowDraft | undefined;
  for await (const { event, data } of await client.draftFlow(request, { signal })) {
    if (event === "edit") onEdit(data as FlowEdit);
    if (event === "draft") draft = data as FlowDraft;
    if (event === "error") throw new Error((data as { message: string }).message);
  }
  return draft;
}

/** The step of a blank agent that does its work. */
export const newAgentStep = "agent_0";

/** The flow of a blank agent: a model that answers, ready to try. */
export const newAgentFlow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
    {
      id: newAgentStep,
      type: "agent",
      version: 1,
      label: "Agent",
      position: { x: 344, y: 0 },
      config: { citations: true },
    },
  ],
  edges: [{ id: `start_0-${newAgentStep}`, source: "start_0", sourcePort: "out", target: newAgentStep }],
});
