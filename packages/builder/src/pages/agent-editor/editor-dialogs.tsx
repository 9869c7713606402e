import type { Agent } from "@weft/client";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { EditorDialog } from "./editor-dialog.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";
import type { AgentSave } from "./use-agent-save.ts";
import { VersionsDrawer } from "./versions-drawer.tsx";

type Props = { agent: Agent; saving: AgentSave; dialog: EditorDialog; onClose(): void; onReload(): void };

/** What may come over an editor: asked for from its menu, or because something needs a decision. */
export function EditorDialogs({ agent, saving, dialog, onClose, onReload }: Props) {
  return (
    <>
      <VersionsDrawer
        agentId={agent.id}
        opened={dialog === "versions"}
        isDirty={saving.isDirty}
        onClose={onClose}
        onRestored={onReload}
      />
      <ImportDialog opened={dialog === "import"} onClose={onClose} />
      <ConflictDialog saving={saving} onReload={onReload} />
      <UnsavedGuard saving={saving} />
    </>
  );
}
