import { useWindowEvent } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Agent, AgentVersionUpdate } from "@weft/client";
import { type FlowDialect, flowDocumentSchema, parseJson } from "@weft/schema";
import { useState, useSyncExternalStore } from "react";
import { agentKeys, fetchAgent, isUnpublished } from "../../api/agents.ts";
import { client, errorSentence, isApiError, withEtag } from "../../api/client.ts";
import { type CanvasSession, emptyModel, type FlowModel, toDocument, toModel } from "../../canvas/index.ts";
import { canvasStrings } from "../../strings.ts";

import type { Draft } from "./use-draft.ts";

export type AgentSave = {
  name: string;
  setName(name: string): void;
  /** Stores the name as it is typed. An empty one is put back. */
  saveName(): void;
  /** Whether the flow differs from what is published. */
  isDirty: boolean;
  /** Whether anything was ever published. */
  isPublished: boolean;
  isPublishing: boolean;
  /** Whether publishing was refused because someone else published this agent since it was opened. */
  hasConflict: boolean;
  /** Whether someone else is known to have saved this agent since it was opened. */
  isOutdated: boolean;
  dismissConflict(): void;
  /** Makes the stored agent public, and nothing else. Rejects when it cannot, or someone else saved it meanwhile. */
  makePublic(): Promise<void>;
  /** Stores the settings of the agent's chat, and nothing else. Rejects as `makePublic` does. */
  saveChat(chatbotConfig: string): Promise<void>;
  /** Publishes; resolves with whether it succeeded. Errors are shown on the screen. */
  publish(options: PublishOptions): Promise<boolean>;
};

/** `overwrite`: also over what someone else published meanwhile. `version`: what to write about it. */
type PublishOptions = { overwrite: boolean; version: AgentVersionUpdate };

type Saved = { id: string; name: string; etag: string; isPublished: boolean };

/** Publishes the draft of an agent, and keeps its name, unless someone else published in the meantime. */
export function useAgentSave(session: CanvasSession, draft: Draft, opened: Saved): AgentSave {
  const [name, setName] = useState(opened.name);
  const [savedName, setSavedName] = useState(opened.name);
  const [isPublished, setPublished] = useState(opened.isPublished);
  const [hasConflict, setConflict] = useState(false);
  const { etag, isOutdated, send, remember } = useStoredAgent(opened);
  const isFlowDirty = useSyncExternalStore(session.editor.subscribe, () => session.editor.state().isDirty);

  function showRefusal(error: unknown): void {
    if (isApiError(error) && error.status === 412) setConflict(true);
    else notifications.show({ color: "red", title: canvasStrings.editor.notSaved, message: errorSentence(error) });
  }

  const mutation = useMutation({
    async mutationFn({ overwrite, version }: PublishOptions) {
      // So that the flow is known to be the draft, which then makes way.
      if (!(await draft.flush())) return undefined;
      const { model } = session.editor.state();
      const body = { name: name.trim() || savedName, flowData: JSON.stringify(toDocument(model)), version };
      return { model, ...(await send(body, overwrite ? "" : etag)) };
    },
    async onSuccess(published) {
      if (!published) return;
      const { answer: agent, model } = published;
      await draft.refresh();
      remember(published);
      session.editor.markSaved(model);
      setPublished(!isUnpublished(agent));
      setSavedName(agent.name);
      setName((typed) => (typed.trim() === "" ? agent.name : typed));
      setConflict(false);
    },
    onError: showRefusal,
  });

  /** Changes what is stored of the agent besides its flow. */
  async function change(fields: { name: string } | { isPublic: true } | { chatbotConfig: string }): Promise<Agent> {
    const changed = await send(fields, etag);
    remember(changed);
    return changed.answer;
  }

  const rename = useMutation({
    mutationFn: (to: string) => change({ name: to }),
    onSuccess: (agent) => setSavedName(agent.name),
    onError: showRefusal,
  });

  return {
    name,
    setName,
    saveName() {
      const typed = name.trim();
      if (typed === "") setName(savedName);
      else if (typed !== savedName) rename.mutate(typed);
    },
    isDirty: isFlowDirty,
    isPublished,
    isPublishing: mutation.isPending,
    hasConflict,
    isOutdated,
    dismissConflict: () => setConflict(false),
    async makePublic() {
      await change({ isPublic: true });
    },
    async saveChat(chatbotConfig) {
      await change({ chatbotConfig });
    },
    publish: (options) =>
      mutation.mutateAsync(options).then(
        (published) => published !== undefined,
        () => false,
      ),
  };
}

/** The agent as it was last saved from here. */
function useStoredAgent({ id, etag: opened }: Saved) {
  const queries = useQueryClient();
  const [etag, setEtag] = useState(opened);
  const stored = useStoredTag(id, opened);

  /** Saves these fields of the agent if its entity tag is still `ifMatch`; with an empty one, always. */
  const send = (body: Parameters<typeof client.updateAgent>[1], ifMatch: string) =>
    withEtag((options) => client.updateAgent({ id }, body, { ...options, ...(ifMatch !== "" && { ifMatch }) }));

  function remember({ answer: agent, etag: stands }: Awaited<ReturnType<typeof send>>): void {
    setEtag(stands);
    stored.remember(stands);
    queries.setQueryData(agentKeys.one(agent.id), { agent, etag: stands });
    void queries.invalidateQueries({ queryKey: agentKeys.all });
  }

  return { etag, isOutdated: stored.tag !== etag, send, remember };
}

type StoredTag = {
  /** The last known entity tag of the stored agent. */
  tag: string;
  /** Remembers the version just saved from here. */
  remember(tag: string): void;
};

/** The stored agent, refetched whenever the user returns to this page. Starts with a known tag. */
function useStoredTag(id: string, initialTag: string): StoredTag {
  const queries = useQueryClient();
  const queryKey = ["agent-tag", id, initialTag];
  const { data, refetch } = useQuery({
    queryKey,
    // The browser asks with If-None-Match by itself, and has the answer when nothing changed.
    queryFn: async ({ signal }) => (await fetchAgent(id, signal)).etag,
    initialData: initialTag,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
  // A window beside this one takes the focus without hiding it, which the query does not hear of.
  useWindowEvent("focus", () => void refetch({ cancelRefetch: false }));
  return {
    tag: data,
    remember(tag) {
      void queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, tag);
    },
  };
}

/** A stored flow, ready to be edited. `dialect`: its stored format, which only publishing changes. */
export type OpenedFlow = {
  model: FlowModel;
  dialect: FlowDialect;
  /** Why it has no native form; empty when it has one, or no steps at all. */
  problems: readonly string[];
};

/** Reads an agent's stored flow. Only other dialects are sent to the server, which converts them. */
export async function openFlow(
  { agentId, flowData }: { agentId: string; flowData: string },
  signal?: AbortSignal,
): Promise<OpenedFlow> {
  const document = flowDocumentSchema.safeParse(parseJson(flowData)).data;
  if (document) return { model: toModel(document), dialect: "native", problems: [] };
  if (isUnpublished({ flowData })) return { model: emptyModel, dialect: "native", problems: [] };
  const { dialect, flow, findings } = await client.readFlow(
    { flowData, agentId },
    signal === undefined ? {} : { signal },
  );
  const model = toModel(flow);
  return { model, dialect, problems: model.nodes.size > 0 ? [] : findings.map(({ message }) => message) };
}

/** A dialog that the user opened over the canvas. */
export type EditorDialog = "versions" | "import" | "help" | "share" | undefined;

/** What the editor's menu opens. */
export type EditorMenuEntry = EditorDialog | "code" | "drafting";
