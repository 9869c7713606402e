import { Skeleton, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { StoredDraft } from "../../api/use-stored-draft.ts";
import { DraftPage } from "../../components/draft-page.tsx";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import type { AssistantDraft } from "./assistant-draft.ts";
import { AssistantFields } from "./assistant-fields.tsx";
import classes from "./assistants.module.css";
import { BackToAssistants } from "./back-to-assistants.tsx";
import { useAssistantDraft } from "./use-assistant-draft.ts";

const ChatPanel = lazy(() => import("../../chat/chat-panel.tsx").then((module) => ({ default: module.ChatPanel })));

/** An assistant, beside a chat with it as it is saved. */
export function AssistantEditor({ stored }: { stored: StoredDraft<AssistantDraft> }) {
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
