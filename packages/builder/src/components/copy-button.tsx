import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Check, Copy } from "lucide-react";
import { commonStrings } from "../strings/common.ts";

type Props = Pick<ButtonProps, "size" | "variant"> & { text: string; label?: string };

/** Puts a text on the clipboard, and says for a moment that it did. */
export function CopyButton({ text, label = commonStrings.copy, size = "sm", variant = "default" }: Props) {
  const { copy, copied } = useClipboard();
  const Icon = copied ? Check : Copy;
  return (
    <Button size={size} variant={variant} leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(text)}>
      <span aria-live="polite">{copied ? commonStrings.copied : label}</span>
    </Button>
  );
}
