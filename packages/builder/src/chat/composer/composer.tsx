import { ActionIcon, Alert, FileButton, Textarea, Tooltip } from "@mantine/core";
import type { UploadInfo } from "@weft/client";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { ArrowUp, Paperclip, Square } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import type { Message } from "../session/chat-session.ts";
import { type Attachments, PendingFiles } from "./attachments.tsx";
import classes from "./composer.module.css";
import { acceptedTypes, takesFiles } from "./upload-rules.ts";

type Props = {
  attachments: Attachments;
  uploads: UploadInfo | undefined;
  /** An answer is streaming: it can be stopped, and nothing can be sent. */
  isBusy: boolean;
  isWaiting: boolean;
  input: RefObject<HTMLTextAreaElement | null>;
  onSend: (message: Message) => void;
  onStop: () => void;
};

/** The message field: Enter sends, Shift + Enter starts a new line. */
export function Composer({ attachments, uploads, isBusy, isWaiting, input, onSend, onStop }: Props) {
  const [text, setText] = useState("");
  const { files, refusals, add, remove, clear } = attachments;
  const isEmpty = text.trim() === "" && files.length === 0;

  function send() {
    if (isBusy || isEmpty) return;
    const question = { text: text.trim(), attachments: files.map(({ attachment }) => attachment) };
    onSend({ question, uploads: files.map(({ upload }) => upload) });
    setText("");
    clear();
  }

  function onKeyDown(event: KeyboardEvent) {
    // During IME composition Enter selects a character.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  function onPaste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void add(pasted);
  }

  return (
    <div className={classes.composer}>
      {refusals.length > 0 && (
        <Alert color="yellow" variant="light" p="xs" role="alert">
          {refusals.map((refusal) => (
            <div key={refusal}>{refusal}</div>
          ))}
        </Alert>
      )}
      <div className={classes.box}>
        <PendingFiles files={files} onRemove={remove} />
        <Textarea
          ref={input}
          variant="unstyled"
          aria-label={chatStrings.message}
          placeholder={isWaiting ? chatStrings.placeholderWaiting : chatStrings.placeholder}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className={classes.buttons}>
          {uploads !== undefined && takesFiles(uploads) && <AttachButton accept={acceptedTypes(uploads)} onAdd={add} />}
          <span className={classes.hints}>
            {(isBusy ? [chatStrings.stopHint] : [chatStrings.sendHint, chatStrings.newLineHint]).map((hint) => (
              <span key={hint}>{hint}</span>
            ))}
          </span>
          {isBusy ? (
            <RoundButton
              label={chatStrings.stop}
              onClick={onStop}
              icon={<Square size={14} fill="currentColor" aria-hidden />}
            />
          ) : (
            <RoundButton
              label={chatStrings.send}
              onClick={send}
              isDisabled={isEmpty}
              icon={<ArrowUp size={18} aria-hidden />}
            />
          )}
        </div>
      </div>
    </div>
  );
}

type ButtonProps = { label: string; icon: ReactNode; isDisabled?: boolean; onClick: () => void };

function RoundButton({ label, icon, isDisabled = false, onClick }: ButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon radius="xl" size={32} aria-label={label} disabled={isDisabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function AttachButton({ accept, onAdd }: { accept: string; onAdd: (files: File[]) => Promise<void> }) {
  return (
    <FileButton multiple accept={accept} onChange={(files) => void onAdd(files)}>
      {(props) => <IconAction icon={Paperclip} label={chatStrings.attach} tip {...props} radius="xl" />}
    </FileButton>
  );
}
