import { Alert, Group, Modal, type ModalProps, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useEffect } from "react";
import { TriangleAlert } from "../../icons/icons.gen.ts";
import { commonStrings } from "../../strings.ts";
import { CopyButton } from "../content/code-block.tsx";
import { Action } from "../controls/actions.tsx";
import { ErrorNotice } from "./notices.tsx";
import { type Outcome, useRequest } from "./requests.ts";

type Props<Answer> = Outcome<Answer> & {
  title: string;
  /** Default *Save*. */
  submitLabel?: string;
  onSubmit: () => Promise<Answer>;
  onClose: () => void;
  /** Whether the input can be submitted. Default true. */
  isComplete?: boolean;
  size?: ModalProps["size"];
  children: ReactNode;
};

/** A form over the page. Closes when it was sent; stays open, with the reason, when that fails. */
export function FormDialog<Answer>({ title, onSubmit, onClose, children, ...form }: Props<Answer>) {
  const { submitLabel = commonStrings.save, isComplete = true, size = "md", next, ...outcome } = form;
  useReturnFocus();
  const sending = useRequest(onSubmit, {
    ...outcome,
    async next(answer) {
      await next?.(answer);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isComplete) sending.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <ErrorNotice error={sending.error} />
          <Group justify="flex-end" gap="xs">
            <Action label={commonStrings.cancel} onClick={onClose} />
            <Action
              label={submitLabel}
              type="submit"
              loading={sending.isPending}
              disabled={!isComplete}
              variant="filled"
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type ShownOnceProps = {
  title: string;
  /** What it is for. */
  text?: string;
  /** Says that it is shown only now. */
  warning: string;
  label: string;
  value: string;
  /** The button that closes it. */
  done: string;
  onClose: () => void;
};

/** Shows a secret the one time that it can be shown. A click beside it does not close it. */
export function ShownOnceDialog({ title, text, warning, label, value, done, onClose }: ShownOnceProps) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} withCloseButton={false} size="lg">
      <Stack>
        {text !== undefined && <Text size="sm">{text}</Text>}
        <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
          {warning}
        </Alert>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={label}
            readOnly
            flex={1}
            ff="monospace"
            value={value}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={value} variant="filled" />
        </Group>
        <Group justify="flex-end">
          <Action label={done} onClick={onClose} />
        </Group>
      </Stack>
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

type ConfirmDialogProps = Omit<Outcome<unknown>, "next"> & {
  /** Default true. */
  opened?: boolean;
  title: string;
  /** Says what is deleted and that it cannot be undone. */
  children: ReactNode;
  /** What stands below the sentence. */
  details?: ReactNode;
  /** Default *Delete*. */
  confirmLabel?: string | undefined;
  /** Default *Cancel*. */
  cancelLabel?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot be undone. Stays open with the reason when it fails. */
export function ConfirmDialog({ opened = true, title, children, details, ...props }: ConfirmDialogProps) {
  const { confirmLabel = commonStrings.delete, cancelLabel = commonStrings.cancel, ...asked } = props;
  const { onConfirm, onClose, ...outcome } = asked;
  const sending = useRequest(onConfirm, { ...outcome, next: onClose });
  const close = () => {
    sending.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        {details}
        <ErrorNotice error={sending.error} />
        <Group justify="flex-end" gap="xs">
          <Action label={cancelLabel} onClick={close} data-autofocus />
          <Action label={confirmLabel} color="red" variant="filled" runs={sending} />
        </Group>
      </Stack>
    </Modal>
  );
}
