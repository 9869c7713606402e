import type { UploadInfo } from "@weft/schema";
import { strings } from "../strings.ts";
import type { Upload } from "./chat-session.ts";

export const maxUploads = 20;

/** Whether an agent takes files at all. */
export function takesFiles({ imgUploadSizeAndTypes, fileUploadSizeAndTypes }: UploadInfo): boolean {
  return imgUploadSizeAndTypes.length + fileUploadSizeAndTypes.length > 0;
}

type ChosenFile = Pick<File, "name" | "type" | "size">;

/** Why a file may not be sent; undefined when it may. Source: `GET /chatflows-uploads/{id}`. */
export function refusalOf(file: ChosenFile, info: UploadInfo): string | undefined {
  const rules = isPicture(file) ? info.imgUploadSizeAndTypes : info.fileUploadSizeAndTypes;
  const type = file.type.split(";", 1)[0] ?? "";
  // A file whose type the browser does not know is left to the server to read.
  const fitting = rules.filter(({ fileTypes }) => fileTypes.length === 0 || type === "" || fileTypes.includes(type));
  if (fitting.length === 0) return strings.takesNoFiles(file.name);
  const limitMb = Math.max(...fitting.map(({ maxUploadSize }) => maxUploadSize));
  if (file.size > limitMb * 1_024 ** 2) return strings.tooLarge(file.name, limitMb);
  return file.size === 0 ? strings.emptyFile(file.name) : undefined;
}

/** Reads files for a message. Rejects with a sentence when one cannot be read. */
export function readUploads(files: readonly File[]): Promise<Upload[]> {
  return Promise.all(
    files.map(async (file) => ({
      type: isPicture(file) ? ("image" as const) : ("file" as const),
      name: file.name,
      mime: file.type,
      data: await readAsAddress(file),
    })),
  );
}

/** A file as a data URL. Rejects with a sentence when it cannot be read. */
export function readAsAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(strings.unreadable(file.name)));
    reader.readAsDataURL(file);
  });
}

function isPicture({ type }: Pick<ChosenFile, "type">): boolean {
  return type.startsWith("image/");
}
