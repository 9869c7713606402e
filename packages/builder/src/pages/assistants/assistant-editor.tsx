import { Alert, Button, Skeleton, Text, VisuallyHidden } from "@mantine/core";
import { Save } from "lucide-react";
import { lazy, Suspense } from "react";
import type { StoredDraft } from "../../api/use-stored-draft.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { LeaveGuard } from "../../components/leave-guard.tsx";
import { Page } from "../../components/page.tsx";
import { assistantsStrings as strings } from "../../strings/assistants.ts";
import type { AssistantDraft } from "./assistant-draft.ts";
import { AssistantFields } from "./assistant-fields.tsx";
import classes from "./assistants.module.css";
import { BackToAssistants } from "./back-to-assistants.tsx";
import { useAssistantDraft } from "./use-assistant-draft.ts";

const ChatPanel = lazy(() => import("../../chat/chat-panel.tsx").then((module) => ({ default: module.ChatPanel })));

/** An assistant, beside a chat with it as it is saved. */
export function AssistantEditor({ stored }: { stored: StoredDraft<AssistantDraft> }) {
  const { draft, change, isDirty, isSaving, error, hasConflict, save, reload } = useAssistantDraft(stored);
  const isNew = stored.id === undefined;
  const canSave = draft.name.trim() !== "" && (isDirty || isNew);
  return (
    <Page
      title={draft.name || strings.newTitle}
      summary={<BackToAssistants />}
      actions={
        <>
          <VisuallyHidden role="status">{isDirty || isNew ? "" : strings.savedState}</VisuallyHidden>
          <Button leftSection={<Save size={16} aria-hidden />} onClick={save} loading={isSaving} disabled={!canSave}>
            {isDirty || isNew ? strings.save : strings.savedState}
          </Button>
        </>
      }
    >
      {hasConflict ? (
        <Alert color="yellow" variant="light" role="alert">
          {strings.conflict}{" "}
          <Button size="compact-xs" variant="default" onClick={reload}>
            {strings.reload}
          </Button>
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <AssistantFields draft={draft} change={change} />
        </div>
        <div className={classes.chat}>
          <Chat id={stored.id} isDirty={isDirty} />
        </div>
      </div>
      <LeaveGuard isDirty={isDirty} text={strings.leave} />
    </Page>
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
