/** What was recorded, and until when its text is waited for. */
export type SpeechRecording = {
  bytes: Uint8Array;
  /** As in `audio/webm`. */
  mediaType: string;
  /** With its extension, by which some vendors tell the format. */
  fileName: string;
  /** Aborting ends the HTTP request at once; `transcribe` then rejects with the signal's reason. */
  signal: AbortSignal;
};

/**
 * Turns speech into text, which is empty when nothing was said.
 * Rejects with a `WeftError` of a `model-*` code when the vendor fails. It never retries.
 */
export type SpeechToText = { transcribe(recording: SpeechRecording): Promise<string> };
