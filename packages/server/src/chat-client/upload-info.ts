import type { CompiledFlow } from "@weft/engine";
import { chatProviders, parseSpeechToText } from "@weft/providers";
import type { ChatLook, UploadInfo } from "@weft/schema";
import { toProviders } from "./providers-of-flow.ts";

/** What an agent's flow and settings say about files. */
export type UploadSettings = {
  flow: CompiledFlow;
  speechToText: string;
  look: ChatLook;
  /** The provider that answers where a flow names none. */
  defaultProvider: string;
  bodyLimitBytes: number;
};

const imageTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/** Largest picture that clients should send, in megabytes, as existing clients have it. */
const imageSizeMb = 5;

/** Which files a chat client may offer to send. */
export function toUploadInfo({
  flow,
  speechToText,
  look,
  defaultProvider,
  bodyLimitBytes,
}: UploadSettings): UploadInfo {
  const takesImages = toProviders(flow, defaultProvider).some((name) => chatProviders[name].acceptsImages);
  const { fullFileUpload } = look;
  const fileTypes = (fullFileUpload?.allowedUploadFileTypes ?? "").split(",").map((type) => type.trim());
  const limitMb = Math.floor(bodyLimitBytes / 1_024 ** 2);
  return {
    isSpeechToTextEnabled: parseSpeechToText(speechToText) !== undefined,
    isImageUploadAllowed: takesImages,
    isRAGFileUploadAllowed: false,
    imgUploadSizeAndTypes: takesImages
      ? [{ fileTypes: imageTypes, maxUploadSize: Math.min(imageSizeMb, limitMb) }]
      : [],
    fileUploadSizeAndTypes: fullFileUpload?.status
      ? [{ fileTypes: fileTypes.filter((type) => type !== ""), maxUploadSize: fullFileUpload.maxUploadSize ?? limitMb }]
      : [],
  };
}
