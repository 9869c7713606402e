import { Group, Modal, type ModalProps, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useEffect } from "react";
import { commonStrings } from "../../strings.ts";
import { Action } from "../controls/actions.tsx";
import { ErrorNotice } from "./notices.tsx";

type Props = {
  title: string;
  submitLabel: string;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** Whether the input can be submitted. Default true. */
  isComplete?: boolean;
  size?: ModalProps["size"];
  children: ReactNode;
};

/** A form over the page. Closes when it was sent; stays open, with the reason, when that fails. */
export function FormDialog({ title, submitLabel, onSubmit, onClose, isComplete = true, size, children }: Props) {
  useReturnFocus();
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit, onSuccess: onClose });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isComplete) mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size ?? "md"}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <ErrorNotice error={error} />
          <Group justify="flex-end" gap="xs">
            <Action label={commonStrings.cancel} onClick={onClose} />
            <Action label={submitLabel} type="submit" loading={isPending} disabled={!isComplete} variant="filled" />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** On unmount, returns the focus to the element that had it on mount: the button of a dialog. */
function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** Says what is deleted and that it cannot be undone. */
  children: ReactNode;
  /** What stands below the sentence. */
  details?: ReactNode;
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot be undone. Stays open with the reason when it fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, details, confirmLabel, onConfirm, onClose } = props;
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        {details}
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="xs">
          <Action label={commonStrings.cancel} onClick={close} data-autofocus />
          <Action label={confirmLabel} color="red" variant="filled" runs={{ mutate, isPending }} />
        </Group>
      </Stack>
    </Modal>
  );
}
