import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Execution } from "@weft/client";
import { CircleSlash, RotateCcw, Trash2 } from "lucide-react";
import { executionStrings } from "../../strings/executions.ts";
import { useExecutionActions } from "./use-execution-actions.ts";

/** What a person can do to a run as it stands: a run that has not ended is cancelled before it is deleted. */
export function ExecutionActions({ execution: { id, state } }: { execution: Execution }) {
  const { cancel, retry, remove } = useExecutionActions(id);
  const [isAsking, { open, close }] = useDisclosure(false);
  if (state === "INPROGRESS" || state === "STOPPED") {
    return (
      <Button
        variant="default"
        leftSection={<CircleSlash size={16} aria-hidden />}
        loading={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {executionStrings.cancel}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" leftSection={<Trash2 size={16} aria-hidden />} onClick={open}>
        {executionStrings.delete}
      </Button>
      {(state === "ERROR" || state === "TIMEOUT") && (
        <Button
          leftSection={<RotateCcw size={16} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {executionStrings.retry}
        </Button>
      )}
      <Modal opened={isAsking} onClose={close} title={executionStrings.deleteTitle}>
        <Text size="sm">{executionStrings.deleteText}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            {executionStrings.keep}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {executionStrings.deleteConfirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
