import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { canvasStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { DestinationsDialog, type Publishing } from "./destinations-dialog.tsx";
import type { AgentSave, EditorDialog } from "./editor-state.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { ShareDialog } from "./share/share-dialog.tsx";
import type { OpenDraft } from "./use-draft.ts";
import { VersionsDrawer } from "./versions/versions-drawer.tsx";

type Props = {
  agent: Agent;
  saving: AgentSave;
  draft: OpenDraft;
  dialog: EditorDialog;
  publishing: Publishing;
  onClose(): void;
  onReload(): void;
};

/** The dialogs of the editor: opened from its menu, or because a decision is needed. */
export function EditorDialogs({ agent, saving, draft, dialog, publishing, onClose, onReload }: Props) {
  return (
    <>
      <VersionsDrawer
        agentId={agent.id}
        opened={dialog === "versions"}
        isDirty={saving.isDirty}
        onClose={onClose}
        onRestored={onReload}
      />
      <ImportDialog agentId={agent.id} opened={dialog === "import"} onClose={onClose} />
      <ShareDialog
        agent={agent}
        saving={saving}
        publish={publishing.publish}
        opened={dialog === "share"}
        onClose={onClose}
      />
      <DestinationsDialog publishing={publishing} saving={saving} />
      <ConflictDialog saving={saving} onReload={onReload} />
      <UnsavedGuard draft={draft} />
    </>
  );
}

const { conflict } = canvasStrings.editor;

/** Someone else saved the agent meanwhile: one of the two flows becomes the newest version, and the other one stays among them. */
function ConflictDialog({ saving, onReload }: { saving: AgentSave; onReload(): void }) {
  return (
    <Modal opened={saving.hasConflict} onClose={saving.dismissConflict} title={conflict.title}>
      <Text size="sm">{conflict.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Action label={conflict.loadTheirs} onClick={onReload} />
        <Action
          label={conflict.keepMine}
          loading={saving.isPublishing}
          onClick={() => void saving.publish({ overwrite: true })}
          variant="filled"
        />
      </Group>
    </Modal>
  );
}

const { leaving: unsaved } = canvasStrings.editor;

/** Saves before one leaves, and asks where that fails. The browser itself asks before a reload or a closed tab. */
function UnsavedGuard({ draft: { shown, flush } }: { draft: OpenDraft }) {
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await flush()),
    enableBeforeUnload: shown.kind !== "saved",
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
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
