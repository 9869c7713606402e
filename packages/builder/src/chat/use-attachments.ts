import type { Upload, UploadInfo } from "@weft/client";
import { useCallback, useState } from "react";
import { chatStrings } from "../strings/chat.ts";
import type { Attachment } from "./conversation.ts";
import { maxUploads, toUpload, uploadRefusal } from "./upload-rules.ts";

/** A file to attach to the next message. */
export type PendingFile = { id: string; attachment: Attachment; upload: Upload };

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
      if (files.length + read.length > maxUploads) refused.push(chatStrings.tooManyFiles(maxUploads));
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
    return chatStrings.unreadableFile(file.name);
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
