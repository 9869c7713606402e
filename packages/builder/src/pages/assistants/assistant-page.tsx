import { Anchor, Skeleton, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import { agentKeys } from "../../api/agents.ts";
import { assistantKeys, assistantQuery } from "../../api/assistants.ts";
import { client } from "../../api/client.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { type StoredDraft, useStoredDraft } from "../../api/use-stored-draft.ts";
import { DraftPage } from "../../components/draft-page.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import {
  type AssistantDraft,
  fromAssistantDraft,
  newAssistantDraft,
  newSearchDraft,
  toAssistantDraft,
} from "./assistant-draft.ts";
import { AssistantFields } from "./assistant-fields.tsx";
import classes from "./assistants.module.css";

/** A stored assistant. */
export function AssistantPage() {
  const { assistantId } = useParams({ from: "/assistants/$assistantId" });
  const { data, error, refetch } = useQuery({
    ...assistantQuery(assistantId),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    return (
      <Page title={strings.title} summary={<BackToAssistants />}>
        {error === null ? <Skeleton height={360} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const stored = { id: assistantId, etag: data.etag, draft: toAssistantDraft(data.assistant) };
  return <AssistantEditor key={assistantId} stored={stored} />;
}

/** An assistant that is not stored yet. */
export function NewAssistantPage() {
  const { store } = useSearch({ from: "/assistants/new" });
  const draft = store === undefined ? newAssistantDraft : newSearchDraft(store);
  return <AssistantEditor key={store} stored={{ id: undefined, etag: "", draft }} />;
}

const ChatPanel = lazy(() => import("../../chat/chat-panel.tsx").then((module) => ({ default: module.ChatPanel })));

/** An assistant next to a chat with its saved version. */
function AssistantEditor({ stored }: { stored: StoredDraft<AssistantDraft> }) {
  const { draft, change, ...editing } = useAssistantDraft(stored);
  return (
    <DraftPage
      title={draft.name || strings.newTitle}
      summary={<BackToAssistants />}
      editing={editing}
      isNew={stored.id === undefined}
      isComplete={draft.name.trim() !== ""}
      strings={strings}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <AssistantFields draft={draft} change={change} />
        </div>
        <div className={classes.chat}>
          <Chat id={stored.id} isDirty={editing.isDirty} />
        </div>
      </div>
    </DraftPage>
  );
}

function Chat({ id, isDirty }: { id: string | undefined; isDirty: boolean }) {
  if (id === undefined) {
    return (
      <Text className={classes.later ?? ""} size="sm" c="dimmed">
        {strings.chatLater}
      </Text>
    );
  }
  const notice = isDirty && (
    <Text size="xs" c="dimmed" px="md" pt="xs">
      {strings.unsaved}
    </Text>
  );
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <ChatPanel agentId={id} notice={notice} />
    </Suspense>
  );
}

/** An assistant while it is edited. */
function useAssistantDraft(stored: StoredDraft<AssistantDraft>) {
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

function BackToAssistants() {
  return (
    <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link {...props} to="/assistants" />}>
      <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {strings.back}
    </Anchor>
  );
}
