import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import type { Finding } from "@weft/schema";
import { useEffect, useState } from "react";
import { canvasStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { DestinationsDialog } from "./destinations-dialog.tsx";
import type { AgentSave, EditorDialog } from "./editor-state.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { ShareDialog } from "./share/share-dialog.tsx";
import type { OpenDraft } from "./use-draft.ts";
import { PublishDialog, type Publishing, VersionsDrawer } from "./versions/index.ts";

type Props = {
  agent: Agent;
  saving: AgentSave;
  draft: OpenDraft;
  dialog: EditorDialog;
  publishing: Publishing;
  findings: readonly Finding[];
  onClose(): void;
  onReload(): void;
};

/** The dialogs of the editor: opened from its menu, or because a decision is needed. */
export function EditorDialogs(props: Props) {
  const { agent, saving, draft, dialog, publishing, findings, onClose, onReload } = props;
  return (
    <>
      <VersionsDrawer agentId={agent.id} opened={dialog === "versions"} isDirty={saving.isDirty} onClose={onClose} />
      <ImportDialog agentId={agent.id} opened={dialog === "import"} onClose={onClose} />
      <ShareDialog
        agent={agent}
        saving={saving}
        publish={async () => void (await publishing.send())}
        opened={dialog === "share"}
        onClose={onClose}
      />
      <PublishDialog agentId={agent.id} publishing={publishing} findings={findings} />
      <DestinationsDialog publishing={publishing} />
      <ConflictDialog saving={saving} publishing={publishing} onReload={onReload} />
      <UnsavedGuard draft={draft} publishing={publishing} />
    </>
  );
}

const { conflict } = canvasStrings.editor;

/** Someone else saved the agent meanwhile: one of the two flows becomes the newest version, and the other one stays among them. */
function ConflictDialog({ saving, publishing, onReload }: Pick<Props, "saving" | "publishing" | "onReload">) {
  return (
    <Modal opened={saving.hasConflict} onClose={saving.dismissConflict} title={conflict.title}>
      <Text size="sm">{conflict.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={conflict.loadTheirs} onClick={onReload} />
        <Action
          label={conflict.keepMine}
          loading={saving.isPublishing}
          onClick={() => void publishing.overwrite()}
          variant="filled"
        />
      </Group>
    </Modal>
  );
}

const { leaving: unsaved } = canvasStrings.editor;

/**
 * Finishes what was being published and saves the draft before one leaves. Where that fails it asks, and where publishing
 * has a question one stays to answer it. The browser itself asks before a reload or a closed tab.
 */
function UnsavedGuard({ draft: { shown, flush }, publishing }: Pick<Props, "draft" | "publishing">) {
  const [isUnanswered, setUnanswered] = useState(false);
  const blocker = useBlocker({
    async shouldBlockFn({ current, next }) {
      if (current.pathname === next.pathname) return false;
      const isSettled = await publishing.settle();
      setUnanswered(!isSettled);
      return !isSettled || !(await flush());
    },
    enableBeforeUnload: shown.kind !== "saved" || publishing.isSending,
    withResolver: true,
  });
  const stay = blocker.status === "blocked" && isUnanswered ? blocker.reset : undefined;
  useEffect(() => stay?.(), [stay]);
  if (blocker.status !== "blocked" || isUnanswered) return null;
  const { proceed, reset } = blocker;
  return (
    <Modal opened onClose={reset} title={unsaved.title}>
      <Text size="sm">{unsaved.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={unsaved.leave} variant="subtle" color="red" onClick={proceed} />
        <Button onClick={reset}>{unsaved.stay}</Button>
      </Group>
    </Modal>
  );
}
