import { Button, Group, Text } from "@mantine/core";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { FileUp, FolderUp, UploadCloud, X } from "../../../icons/icons.gen.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { formatSize } from "../../../ui/content/format.ts";
import { Action, IconAction } from "../../../ui/controls/actions.tsx";
import { useFileDrop } from "../../../ui/controls/use-file-drop.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "./file-drop.module.css";
import { maxUploads, type Upload } from "./upload.ts";

const strings = documentStoresStrings.upload;

type Props = {
  /** Continues the sentence "Drop files or folders here". */
  text: string;
  isBusy?: boolean;
  onFiles(uploads: Upload[]): void;
};

/** A place where files and folders are dropped, or chosen by a button. */
export function FileDrop({ text, isBusy = false, onFiles }: Props) {
  const [problem, setProblem] = useState<string>();
  const take = (uploads: Upload[]) => {
    setProblem(
      uploads.length === 0
        ? strings.nothing
        : uploads.length > maxUploads
          ? strings.tooMany({ limit: maxUploads })
          : undefined,
    );
    if (uploads.length > 0) onFiles(uploads.slice(0, maxUploads));
  };
  const { isOver, handlers } = useFileDrop(!isBusy, (dropped) => void readDroppedFiles(dropped).then(take));
  return (
    <div className={classes.area} data-over={isOver || undefined} {...handlers}>
      <UploadCloud size={24} strokeWidth={1.75} className={classes.icon} aria-hidden />
      <Text size="sm" fw={500} aria-live="polite">
        {isBusy ? strings.sending : isOver ? strings.dropNow : strings.drop}
      </Text>
      <Hint>{text}</Hint>
      <Group gap="xs" my={8} justify="center">
        <ChooseButton label={strings.files} icon={<FileUp size={16} aria-hidden />} isBusy={isBusy} onFiles={take} />
        <ChooseButton
          label={strings.folder}
          icon={<FolderUp size={16} aria-hidden />}
          isBusy={isBusy}
          isFolder
          onFiles={take}
        />
      </Group>
      <Hint size="xs">{strings.formats}</Hint>
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

type ButtonProps = {
  label: string;
  icon: React.ReactNode;
  isBusy: boolean;
  isFolder?: boolean;
  onFiles(uploads: Upload[]): void;
};

function ChooseButton({ label, icon, isBusy, isFolder = false, onFiles }: ButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFolder) input.current?.setAttribute("webkitdirectory", "");
  }, [isFolder]);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles(readChosenFiles(currentTarget.files ?? []));
    // The same files can be chosen again.
    currentTarget.value = "";
  };
  return (
    <>
      <Button variant="default" leftSection={icon} loading={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input ref={input} type="file" multiple className={classes.input} aria-label={label} onChange={change} />
    </>
  );
}

/**
 * The dropped files, including those in folders, without hidden ones such as .DS_Store. Must be called during the drop
 * event: afterwards the browser discards its data.
 */
async function readDroppedFiles({ items }: DataTransfer): Promise<Upload[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

/** The files that a file input has. */
function readChosenFiles(files: Iterable<File>): Upload[] {
  return [...files]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !path.split("/").some(isHidden));
}

async function readEntry(entry: FileSystemEntry): Promise<Upload[]> {
  if (isHidden(entry.name)) return [];
  if (isFile(entry)) return [{ file: await fileOf(entry), path: entry.fullPath.replace(/^\//, "") }];
  if (!isFolder(entry)) return [];
  return (await Promise.all((await entriesOf(entry)).map(readEntry))).flat();
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives some entries at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

const shownAtMost = 100;

export type ListedFile = { key: string; name: string; sizeBytes: number; isStored: boolean };

type FileListProps = { files: readonly ListedFile[]; onRemove(key: string): void; onClear(): void };

/** The files of a loader; those that are stored already say so. */
export function FileList({ files, onRemove, onClear }: FileListProps) {
  if (files.length === 0) return null;
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div>
      <Group justify="space-between">
        <Hint aria-live="polite">{strings.total({ number: files.length, size: formatSize(bytes) })}</Hint>
        <Action label={strings.clear} size="compact-xs" variant="subtle" color="gray" onClick={onClear} />
      </Group>
      <ul className={classes.list} aria-label={strings.list}>
        {files.slice(0, shownAtMost).map(({ key, name, sizeBytes, isStored }) => (
          <li key={key} className={classes.file}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <Hint size="xs">{isStored ? strings.stored : formatSize(sizeBytes)}</Hint>
            <IconAction icon={X} label={strings.remove({ name })} onClick={() => onRemove(key)} size={28} />
          </li>
        ))}
        {files.length > shownAtMost && (
          <li className={classes.file}>{strings.more({ number: files.length - shownAtMost })}</li>
        )}
      </ul>
    </div>
  );
}
