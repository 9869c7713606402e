import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { X } from "lucide-react";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import classes from "./file-drop.module.css";

const strings = documentStoresStrings.upload;
const shownAtMost = 100;

export type ListedFile = { key: string; name: string; sizeBytes: number; isStored: boolean };

type Props = { files: readonly ListedFile[]; onRemove(key: string): void; onClear(): void };

/** The files of a loader; those that are stored already say so. */
export function FileList({ files, onRemove, onClear }: Props) {
  if (files.length === 0) return null;
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" aria-live="polite">
          {strings.total(files.length, formatSize(bytes))}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
          {strings.clear}
        </Button>
      </Group>
      <ul className={classes.list} aria-label={strings.list}>
        {files.slice(0, shownAtMost).map(({ key, name, sizeBytes, isStored }) => (
          <li key={key} className={classes.file}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <Text size="xs" c="dimmed">
              {isStored ? strings.stored : formatSize(sizeBytes)}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={strings.remove(name)}
              onClick={() => onRemove(key)}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
        {files.length > shownAtMost && <li className={classes.file}>{strings.more(files.length - shownAtMost)}</li>}
      </ul>
    </div>
  );
}

/** A size as people read it, such as "1.4 MB". */
function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
