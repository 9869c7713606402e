import { Group, SegmentedControl, Skeleton, Stack, Textarea } from "@mantine/core";
import type { Pin } from "@weft/client";
import { useState } from "react";
import { replayStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { type PinForm, pinToText, usualForm, withText } from "./changed-outputs.ts";

type Props = {
  label: string;
  /** Undefined: it is still loading. */
  pin: Pin | undefined;
  saveLabel?: string;
  onSave(pin: Pin): void;
  cancelLabel?: string;
  onCancel(): void;
};

/** What a step gives, to be changed: an answer in words as text or with the whole output, anything else as JSON. */
export function EditedPin({ label, pin, onSave, onCancel, ...labels }: Props) {
  const { saveLabel = replayStrings.save, cancelLabel = replayStrings.cancel } = labels;
  const [typed, setTyped] = useState<string>();
  const [chosen, setForm] = useState<PinForm>();
  if (pin === undefined) return <Skeleton height={80} radius="md" />;
  const usual = usualForm(pin);
  const form = chosen ?? usual;
  const text = typed ?? pinToText(pin, form);
  const edited = withText(pin, text, form);
  const show = (next: PinForm) => {
    // What was typed so far is kept in the other form.
    if (edited !== undefined) setTyped(pinToText(edited, next));
    setForm(next);
  };
  return (
    <Stack gap={8}>
      {usual === "words" && (
        <SegmentedControl
          size="xs"
          aria-label={replayStrings.form}
          data={(["words", "json"] as const).map((value) => ({ value, label: replayStrings.forms[value] }))}
          value={form}
          disabled={edited === undefined}
          onChange={show}
        />
      )}
      <Textarea
        label={label}
        autosize
        minRows={3}
        maxRows={14}
        value={text}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={edited === undefined && replayStrings.notJson}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 } }}
      />
      <Group gap={8} justify="flex-end">
        <Action label={cancelLabel} size="xs" onClick={onCancel} />
        <Action
          label={saveLabel}
          size="xs"
          disabled={edited === undefined}
          onClick={() => edited && onSave(edited)}
          variant="filled"
        />
      </Group>
    </Stack>
  );
}
