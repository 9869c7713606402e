import { Alert, Button, Group, Modal, Text, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { type ReactNode, useRef, useState } from "react";
import { isApiError } from "../../api/client.ts";
import { Save } from "../../icons/icons.gen.ts";
import { commonStrings } from "../../strings.ts";
import { Action } from "../controls/actions.tsx";
import { ErrorNotice, Loaded } from "./notices.tsx";
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
          <Action
            icon={Save}
            label={isOpen ? commonStrings.save : commonStrings.saved}
            onClick={save}
            loading={isSaving}
            disabled={!(isOpen && isComplete)}
            variant="filled"
          />
        </>
      }
    >
      {hasConflict ? (
        <Alert color="yellow" variant="light" role="alert">
          {strings.conflict} <Action label={commonStrings.reload} size="compact-xs" onClick={() => void reload()} />
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      {children}
      <LeaveGuard isDirty={isDirty} text={strings.leave} />
    </Page>
  );
}

type LoadedPageProps<T> = Omit<ComponentProps<typeof Loaded<T>>, "until"> & { title: string; summary?: ReactNode };

/** Gives way to the page of what is loaded. */
export function LoadedPage<T>({ query, title, summary, children }: LoadedPageProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Page title={title} summary={summary}>
      <Loaded query={query} until={360}>
        {children}
      </Loaded>
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
    <Modal opened onClose={blocker.reset} title={commonStrings.leaveTitle}>
      <Text size="sm">{text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={commonStrings.leave} variant="subtle" color="red" onClick={blocker.proceed} />
        <Button onClick={blocker.reset}>{commonStrings.stay}</Button>
      </Group>
    </Modal>
  );
}

/** Something of the API while it is edited, with its entity tag; without an id it is new. */
export type StoredDraft<Draft> = { id: string | undefined; etag: string; draft: Draft };

/** Options that the client's operations accept besides their own parameters. */
type CallOptions = { ifMatch?: string; onResponse(response: Response): void };

type Operations<Draft, Stored> = {
  create(draft: Draft, options: CallOptions): Promise<Stored>;
  update(id: string, draft: Draft, options: CallOptions): Promise<Stored>;
  /** As it is at this moment. */
  load(id: string): Promise<{ draft: Draft; etag: string }>;
  onSaved(stored: Stored): Promise<void>;
};

const preconditionFailed = 412;

/** Changes, saves and resets a draft. A save that would overwrite someone else's is refused, with a message. */
export function useStoredDraft<Draft extends object, Stored>(
  { id, etag, draft: initial }: StoredDraft<Draft>,
  { create, update, load, onSaved }: Operations<Draft, Stored>,
) {
  const [draft, setDraft] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const tag = useRef(etag);
  const { mutate, isPending, error } = useMutation({
    mutationFn(sent: Draft) {
      const onResponse = (response: Response) => {
        tag.current = response.headers.get("etag") ?? "";
      };
      if (id === undefined) return create(sent, { onResponse });
      return update(id, sent, { onResponse, ...(tag.current !== "" && { ifMatch: tag.current }) });
    },
    async onSuccess(stored, sent) {
      setSaved(sent);
      await onSaved(stored);
    },
  });
  return {
    draft,
    change: (changed: Partial<Draft>) => setDraft((now) => ({ ...now, ...changed })),
    isDirty: JSON.stringify(draft) !== JSON.stringify(saved),
    isSaving: isPending,
    error,
    hasConflict: isApiError(error) && error.status === preconditionFailed,
    save: () => mutate(draft),
    async reload() {
      if (id === undefined) return;
      const present = await load(id);
      tag.current = present.etag;
      setDraft(present.draft);
      setSaved(present.draft);
    },
  };
}
