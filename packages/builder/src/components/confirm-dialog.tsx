import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { commonStrings } from "../strings/common.ts";
import { ErrorNotice } from "./error-notice.tsx";

type Props = {
  opened: boolean;
  title: string;
  /** Says what is deleted and that it cannot be undone. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot be undone. Stays open with the reason when it fails. */
export function ConfirmDialog({ opened, title, children, confirmLabel, onConfirm, onClose }: Props) {
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": commonStrings.close }}>
      <Stack>
        <Text size="sm">{children}</Text>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {commonStrings.cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
