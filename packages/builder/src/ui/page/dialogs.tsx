import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useEffect } from "react";
import { commonStrings } from "../strings/common.ts";
import { ErrorNotice } from "./error-notice.tsx";

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
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size ?? "md"}
      closeButtonProps={{ "aria-label": commonStrings.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {children}
          <ErrorNotice error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {commonStrings.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={!isComplete}>
              {submitLabel}
            </Button>
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
