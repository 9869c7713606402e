import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { assistantQuery } from "../../api/assistants.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import { newAssistantDraft, newSearchDraft, toAssistantDraft } from "./assistant-draft.ts";
import { AssistantEditor } from "./assistant-editor.tsx";
import { BackToAssistants } from "./back-to-assistants.tsx";

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
