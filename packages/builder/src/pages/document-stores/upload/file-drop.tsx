import { Button, Group, Text } from "@mantine/core";
import { FileUp, FolderUp, UploadCloud } from "lucide-react";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import classes from "./file-drop.module.css";
import { readChosenFiles } from "./read-dropped-files.ts";
import { maxUploads, type Upload } from "./upload.ts";
import { useUploadDrop } from "./use-upload-drop.ts";

const strings = documentStoresStrings.upload;

type Props = {
  /** What happens with the files, after "Drop files or folders here". */
  text: string;
  isBusy?: boolean;
  onFiles(uploads: Upload[]): void;
};

/** A place where files and folders are dropped, or chosen by a button. */
export function FileDrop({ text, isBusy = false, onFiles }: Props) {
  const [problem, setProblem] = useState<string>();
  const take = (uploads: Upload[]) => {
    setProblem(
      uploads.length === 0 ? strings.nothing : uploads.length > maxUploads ? strings.tooMany(maxUploads) : undefined,
    );
    if (uploads.length > 0) onFiles(uploads.slice(0, maxUploads));
  };
  const { isOver, handlers } = useUploadDrop(!isBusy, take);
  return (
    <div className={classes.area} data-over={isOver || undefined} {...handlers}>
      <UploadCloud size={24} strokeWidth={1.75} className={classes.icon} aria-hidden />
      <Text size="sm" fw={500} aria-live="polite">
        {isBusy ? strings.sending : isOver ? strings.dropNow : strings.drop}
      </Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <Group gap="xs" my={8}>
        <ChooseButton label={strings.files} icon={<FileUp size={16} aria-hidden />} isBusy={isBusy} onFiles={take} />
        <ChooseButton
          label={strings.folder}
          icon={<FolderUp size={16} aria-hidden />}
          isBusy={isBusy}
          isFolder
          onFiles={take}
        />
      </Group>
      <Text size="xs" c="dimmed">
        {strings.formats}
      </Text>
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
