import { ActionIcon, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { File, ImageOff, X } from "lucide-react";
import { chatStrings } from "../strings/chat.ts";
import classes from "./attachment-list.module.css";
import { pictureQuery } from "./chat-queries.ts";
import type { Attachment } from "./conversation.ts";
import type { PendingFile } from "./use-attachments.ts";

type Chat = { agentId: string; chatId: string };

/** The files of a sent message. */
export function SentFiles({ files, chat }: { files: readonly Attachment[]; chat: Chat }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.list}>
      {files.map((file) => (
        <li key={file.name} className={classes.item}>
          {file.mime.startsWith("image/") ? <SentPicture file={file} chat={chat} /> : <FileName name={file.name} />}
        </li>
      ))}
    </ul>
  );
}

function SentPicture({ file, chat }: { file: Attachment; chat: Chat }) {
  const { agentId: chatflowId, chatId } = chat;
  const query = pictureQuery({ chatflowId, chatId, fileName: file.name });
  const { data, isPending } = useQuery({ ...query, enabled: file.preview === undefined, retry: 1 });
  const address = file.preview ?? data;
  if (address !== undefined)
    return <img src={address} alt={chatStrings.openImage(file.name)} className={classes.picture} />;
  if (isPending) return <Loader size="xs" />;
  return (
    <span className={classes.name}>
      <ImageOff size={14} aria-hidden /> {file.name}
    </span>
  );
}

type PendingProps = { files: readonly PendingFile[]; onRemove: (id: string) => void };

/** The files to attach to the next message. */
export function PendingFiles({ files, onRemove }: PendingProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.list}>
      {files.map(({ id, attachment }) => (
        <li key={id} className={classes.pending}>
          {attachment.preview === undefined ? (
            <FileName name={attachment.name} />
          ) : (
            <img src={attachment.preview} alt={chatStrings.openImage(attachment.name)} className={classes.thumbnail} />
          )}
          <ActionIcon
            variant="filled"
            color="dark"
            size="xs"
            radius="xl"
            className={classes.remove}
            onClick={() => onRemove(id)}
            aria-label={chatStrings.removeFile(attachment.name)}
          >
            <X size={12} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

function FileName({ name }: { name: string }) {
  return (
    <span className={classes.name}>
      <File size={14} aria-hidden /> {name}
    </span>
  );
}
