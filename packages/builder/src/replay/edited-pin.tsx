import { Group, Skeleton, Stack, Textarea } from "@mantine/core";
import type { Pin } from "@weft/client";
import { useState } from "react";
import { replayStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { pinToText, withText } from "./changed-outputs.ts";

type Props = {
  label: string;
  /** Undefined: it is still loading. */
  pin: Pin | undefined;
  saveLabel?: string;
  onSave(pin: Pin): void;
  cancelLabel?: string;
  onCancel(): void;
};

/** What a step gives, to be changed: an answer as text, anything else as JSON. */
export function EditedPin({ label, pin, onSave, onCancel, ...labels }: Props) {
  const { saveLabel = replayStrings.save, cancelLabel = replayStrings.cancel } = labels;
  const [typed, setTyped] = useState<string>();
  if (pin === undefined) return <Skeleton height={80} radius="md" />;
  const text = typed ?? pinToText(pin);
  const edited = withText(pin, text);
  return (
    <Stack gap={8}>
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
