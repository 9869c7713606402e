import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { commonStrings } from "../strings/common.ts";

type Props = {
  isDirty: boolean;
  /** What is not saved. */
  text: string;
};

/** Asks before changes are lost: here for another page, by the browser itself for a reload or a closed tab. */
export function LeaveGuard({ isDirty, text }: Props) {
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
