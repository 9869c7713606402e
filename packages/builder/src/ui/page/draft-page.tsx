import { Alert, Button, Group, Modal, Text, VisuallyHidden } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { Save } from "lucide-react";
import type { ReactNode } from "react";
import { commonStrings } from "../strings/common.ts";
import { ErrorNotice } from "./error-notice.tsx";
import { Page } from "./page.tsx";

/** How far an edit is, as `useStoredDraft` has it. */
type Editing = {
  isDirty: boolean;
  isSaving: boolean;
  error: unknown;
  hasConflict: boolean;
  save(): void;
  reload(): Promise<void>;
};

type Props = {
  title: string;
  /** The way back. */
  summary: ReactNode;
  editing: Editing;
  /** Whether it has not been stored yet. Default false. */
  isNew?: boolean;
  /** Whether the input is complete enough to save. Default true. */
  isComplete?: boolean;
  /** Shown when someone else saved in the meantime, and when changes would be lost. */
  strings: { conflict: string; leave: string };
  children: ReactNode;
};

/** A page on which one thing is edited: saved with a button, never lost without a question. */
export function DraftPage({ title, summary, editing, isNew = false, isComplete = true, strings, children }: Props) {
  const { isDirty, isSaving, error, hasConflict, save, reload } = editing;
  const isOpen = isDirty || isNew;
  return (
    <Page
      title={title}
      summary={summary}
      actions={
        <>
          <VisuallyHidden role="status">{isOpen ? "" : commonStrings.saved}</VisuallyHidden>
          <Button
            leftSection={<Save size={16} aria-hidden />}
            onClick={save}
            loading={isSaving}
            disabled={!(isOpen && isComplete)}
          >
            {isOpen ? commonStrings.save : commonStrings.saved}
          </Button>
        </>
      }
    >
      {hasConflict ? (
        <Alert color="yellow" variant="light" role="alert">
          {strings.conflict}{" "}
          <Button size="compact-xs" variant="default" onClick={() => void reload()}>
            {commonStrings.reload}
          </Button>
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      {children}
      <LeaveGuard isDirty={isDirty} text={strings.leave} />
    </Page>
  );
}

type LeaveGuardProps = {
  isDirty: boolean;
  /** Names the unsaved changes. */
  text: string;
};

/** Asks before changes are lost: here for another page, by the browser itself for a reload or a closed tab. */
export function LeaveGuard({ isDirty, text }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={commonStrings.leaveTitle}
      closeButtonProps={{ "aria-label": commonStrings.close }}
    >
      <Text size="sm">{text}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="subtle" color="red" onClick={blocker.proceed}>
          {commonStrings.leave}
        </Button>
        <Button onClick={blocker.reset}>{commonStrings.stay}</Button>
      </Group>
    </Modal>
  );
}
