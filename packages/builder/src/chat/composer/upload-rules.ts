import type { Upload, UploadInfo } from "@weft/client";
import { formatList } from "../../languages/index.ts";
import { chatStrings } from "../../strings.ts";

type ChosenFile = { name: string; type: string; size: number };

/** Whether an agent accepts files at all. */
export function takesFiles({ imgUploadSizeAndTypes, fileUploadSizeAndTypes }: UploadInfo): boolean {
  return imgUploadSizeAndTypes.length + fileUploadSizeAndTypes.length > 0;
}

/** For the `accept` of a file input. */
export function acceptedTypes({ imgUploadSizeAndTypes, fileUploadSizeAndTypes }: UploadInfo): string {
  const types = [...imgUploadSizeAndTypes, ...fileUploadSizeAndTypes].flatMap(({ fileTypes }) => fileTypes);
  // A browser that does not know a file's type would hide the file.
  return fileUploadSizeAndTypes.length > 0 ? "" : types.join(",");
}

/** Why a file may not be sent; undefined if it may. Source: `GET /chatflows-uploads/{id}`. */
export function uploadRefusal(file: ChosenFile, info: UploadInfo): string | undefined {
  const rules = isPicture(file) ? info.imgUploadSizeAndTypes : info.fileUploadSizeAndTypes;
  if (rules.length === 0) {
    return isPicture(file)
      ? chatStrings.takesNoPictures({ name: file.name })
      : chatStrings.takesNoFiles({ name: file.name });
  }
  // A file of a type unknown to the browser is left to the server.
  const fitting = rules.filter(({ fileTypes }) => fileTypes.length === 0 || fits(fileTypes, file.type));
  if (fitting.length === 0) {
    return chatStrings.wrongType({ name: file.name, types: formatList(rules.flatMap(({ fileTypes }) => fileTypes)) });
  }
  const limitMb = Math.max(...fitting.map(({ maxUploadSize }) => maxUploadSize));
  if (file.size > limitMb * 1_024 ** 2) return chatStrings.tooLarge({ name: file.name, limitMb });
  return file.size === 0 ? chatStrings.emptyFile({ name: file.name }) : undefined;
}

/** An upload in the format of predictions. `data`: a data URL in base64. */
export function toUpload(file: ChosenFile, data: string): Upload {
  return { type: isPicture(file) ? "image" : "file", name: file.name, mime: file.type, data };
}

export const maxUploads = 20;

function isPicture({ type }: ChosenFile): boolean {
  return type.startsWith("image/");
}

function fits(types: readonly string[], type: string): boolean {
  return type === "" || types.includes(type.split(";", 1)[0] ?? "");
}
