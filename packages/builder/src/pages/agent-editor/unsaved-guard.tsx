import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { canvasStrings } from "../../strings/canvas.ts";
import { closeButton } from "./close-button.ts";
import type { AgentSave } from "./use-agent-save.ts";

const { leaving: unsaved } = canvasStrings.editor;

/** Asks before edits are lost: here for another page, by the browser itself for a reload or a closed tab. */
export function UnsavedGuard({ saving: { isDirty, isSaving, save } }: { saving: AgentSave }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  return (
    <Modal opened onClose={reset} title={unsaved.title} closeButtonProps={closeButton}>
      <Text size="sm">{unsaved.text}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="subtle" color="red" onClick={proceed}>
          {unsaved.leave}
        </Button>
        <Button variant="default" onClick={reset}>
          {unsaved.stay}
        </Button>
        <Button loading={isSaving} onClick={() => void save().then((isSaved) => (isSaved ? proceed() : reset()))}>
          {unsaved.save}
        </Button>
      </Group>
    </Modal>
  );
}
