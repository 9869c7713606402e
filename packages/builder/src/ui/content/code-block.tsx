import { ActionIcon, Button, type ButtonProps, CopyButton as Clipboard, Tooltip, UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { type ReactNode, useId, useState } from "react";
import { Check, ChevronRight, Copy } from "../../icons/icons.gen.ts";
import { commonStrings } from "../../strings.ts";
import { LongText } from "../json/long-text.tsx";
import classes from "./code-block.module.css";

type Props = { text: string; language?: string; label?: string };

/** In characters; of a longer text the beginning is shown first. */
const longestText = 20_000;

/** Code or data with a copy button. `label`: its accessible name. */
export function CodeBlock({ text, language = "", label }: Props) {
  return (
    <div className={classes.block}>
      {language !== "" && <span className={classes.language}>{language}</span>}
      <div className={classes.copy}>
        <CopyIcon text={text} label={commonStrings.copyCode} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider or longer than the block is scrolled by keyboard. */}
      <pre className={classes.code} tabIndex={0} {...(label !== undefined && { "aria-label": label, role: "group" })}>
        <code>
          <LongText text={text} limit={longestText} />
        </code>
      </pre>
    </div>
  );
}

/** Copies a text, and says so. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <Clipboard value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? commonStrings.copied : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? commonStrings.copied : label}
          >
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Clipboard>
  );
}

type CopyButtonProps = Pick<ButtonProps, "size" | "variant"> & { text: string; label?: string };

/** Puts a text on the clipboard, and says for a moment that it did. */
export function CopyButton({ text, label = commonStrings.copy, size = "sm", variant = "default" }: CopyButtonProps) {
  const { copy, copied } = useClipboard();
  const Icon = copied ? Check : Copy;
  return (
    <Button size={size} variant={variant} leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(text)}>
      <span aria-live="polite">{copied ? commonStrings.copied : label}</span>
    </Button>
  );
}

type DisclosureProps = { summary: ReactNode; children: ReactNode; onOpen?: () => void };

/** A line that unfolds. What is in it is made when it is opened. */
export function Disclosure({ summary, children, onOpen }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const toggle = () => {
    if (!isOpen) onOpen?.();
    setOpen(!isOpen);
  };
  return (
    <div className={classes.disclosure}>
      <UnstyledButton className={classes.summary} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <ChevronRight size={14} aria-hidden className={classes.chevron} data-open={isOpen} />
        {summary}
      </UnstyledButton>
      <div id={id} hidden={!isOpen} className={classes.content}>
        {isOpen && children}
      </div>
    </div>
  );
}
