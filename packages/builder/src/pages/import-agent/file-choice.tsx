import { CloseButton, FileButton, Textarea } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { FileText, FileUp } from "../../icons/icons.gen.ts";
import { importStrings as strings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./import-page.module.css";

export type ImportFile = { name: string; text: string };

const maxBytes = 4_000_000;

type Props = { files: readonly ImportFile[]; onChange(files: readonly ImportFile[]): void };

/** Files that are dropped, chosen or pasted. A file of the same name replaces the one before. */
export function FileChoice({ files, onChange }: Props) {
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<Error>();
  const add = async (chosen: readonly File[]) => {
    const tooLarge = chosen.find(({ size }) => size > maxBytes);
    setError(tooLarge && new Error(strings.tooLarge({ name: tooLarge.name })));
    if (tooLarge || chosen.length === 0) return;
    const read = await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() })));
    const names = new Set(read.map(({ name }) => name));
    onChange([...files.filter(({ name }) => !names.has(name)), ...read]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void add([...event.dataTransfer.files]);
  };
  return (
    <section aria-label={strings.files}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the accessible one */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-compact={files.length > 0 || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {files.length === 0 && (
          <>
            <FileUp size={24} strokeWidth={1.5} aria-hidden />
            <Hint ta="center">{strings.text}</Hint>
          </>
        )}
        <FileButton multiple onChange={(chosen) => void add(chosen)}>
          {(props) => <Action {...props} label={files.length === 0 ? strings.choose : strings.add} size="xs" />}
        </FileButton>
      </div>
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map(({ name }) => (
            <li key={name}>
              <FileText size={16} aria-hidden />
              <span>{name}</span>
              <CloseButton
                size="sm"
                aria-label={strings.remove({ name })}
                onClick={() => onChange(files.filter((file) => file.name !== name))}
              />
            </li>
          ))}
        </ul>
      )}
      {files.length === 0 && (
        <Textarea
          label={strings.paste}
          rows={3}
          mt="sm"
          value=""
          onChange={(event) => {
            const text = event.currentTarget.value;
            if (text.trim() !== "") onChange([{ name: strings.pasted, text }]);
          }}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 } }}
        />
      )}
      <ErrorNotice error={error} />
    </section>
  );
}
