import { Button, Group, Modal, Text } from "@mantine/core";
import { canvasStrings } from "../../strings/canvas.ts";
import { closeButton } from "./close-button.ts";
import type { AgentSave } from "./use-agent-save.ts";

const { conflict } = canvasStrings.editor;

/** Somebody else saved the agent meanwhile: one of the two flows becomes the newest version, and the other one stays among them. */
export function ConflictDialog({ saving, onReload }: { saving: AgentSave; onReload(): void }) {
  return (
    <Modal
      opened={saving.hasConflict}
      onClose={saving.dismissConflict}
      title={conflict.title}
      closeButtonProps={closeButton}
    >
      <Text size="sm">{conflict.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onReload}>
          {conflict.loadTheirs}
        </Button>
        <Button loading={saving.isSaving} onClick={() => void saving.save({ overwrite: true })}>
          {conflict.keepMine}
        </Button>
      </Group>
    </Modal>
  );
}
