import { Loader } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Upload, UploadInfo } from "@weft/client";
import { useCallback, useState } from "react";
import { client } from "../../api/client.ts";
import { File, ImageOff, X } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import type { Attachment } from "../session/conversation.ts";
import classes from "./attachment-list.module.css";
import { maxUploads, toUpload, uploadRefusal } from "./upload-rules.ts";

/** An object URL for a chat's image; valid as long as the page is open. */
const pictureQuery = (file: { chatflowId: string; chatId: string; fileName: string }) =>
  queryOptions({
    queryKey: ["chat-picture", file.chatflowId, file.chatId, file.fileName],
    queryFn: async ({ signal }) => URL.createObjectURL(await client.getUploadFile(file, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

type Chat = { agentId: string; chatId: string };

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
    return <img src={address} alt={chatStrings.openImage({ name: file.name })} className={classes.picture} />;
  if (isPending) return <Loader size="xs" />;
  return (
    <span className={classes.name}>
      <ImageOff size={14} aria-hidden /> {file.name}
    </span>
  );
}

type PendingProps = { files: readonly PendingFile[]; onRemove: (id: string) => void };

export function PendingFiles({ files, onRemove }: PendingProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.list}>
      {files.map(({ id, attachment }) => (
        <li key={id} className={classes.pending}>
          {attachment.preview === undefined ? (
            <FileName name={attachment.name} />
          ) : (
            <img
              src={attachment.preview}
              alt={chatStrings.openImage({ name: attachment.name })}
              className={classes.thumbnail}
            />
          )}
          <IconAction
            icon={X}
            label={chatStrings.removeFile({ name: attachment.name })}
            variant="filled"
            color="dark"
            radius="xl"
            className={classes.remove}
            onClick={() => onRemove(id)}
            size={18}
            iconSize={12}
          />
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

type PendingFile = { id: string; attachment: Attachment; upload: Upload };

/** The files to attach to the next message, and the reasons why others were rejected. */
export function useAttachments(info: UploadInfo | undefined) {
  const [files, setFiles] = useState<readonly PendingFile[]>([]);
  const [refusals, setRefusals] = useState<readonly string[]>([]);

  const add = useCallback(
    async (chosen: readonly File[]) => {
      if (info === undefined || chosen.length === 0) return;
      const results = await Promise.all(chosen.map((file) => readFile(file, info)));
      const read = results.filter((result) => typeof result !== "string");
      const refused = results.filter((result) => typeof result === "string");
      setFiles((present) => [...present, ...read].slice(0, maxUploads));
      if (files.length + read.length > maxUploads) refused.push(chatStrings.tooManyFiles({ max: maxUploads }));
      setRefusals(refused);
    },
    [info, files.length],
  );

  const remove = useCallback((id: string) => setFiles((present) => present.filter((file) => file.id !== id)), []);
  const clear = useCallback(() => {
    setFiles([]);
    setRefusals([]);
  }, []);
  return { files, refusals, add, remove, clear };
}

export type Attachments = ReturnType<typeof useAttachments>;

async function readFile(file: File, info: UploadInfo): Promise<PendingFile | string> {
  const refusal = uploadRefusal(file, info);
  if (refusal !== undefined) return refusal;
  try {
    const data = await toDataUrl(file);
    const preview = file.type.startsWith("image/") ? { preview: data } : {};
    const attachment = { name: file.name, mime: file.type, ...preview };
    return { id: crypto.randomUUID(), attachment, upload: toUpload(file, data) };
  } catch {
    return chatStrings.unreadableFile({ name: file.name });
  }
}

function toDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
