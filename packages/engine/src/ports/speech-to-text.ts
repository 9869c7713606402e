export type SpeechRecording = {
  bytes: Uint8Array;
  /** For example `audio/webm`. */
  mediaType: string;
  /** With extension: some vendors detect the format by it. */
  fileName: string;
  /** Aborting ends the HTTP request at once; `transcribe` then rejects with the signal's reason. */
  signal: AbortSignal;
};

/**
 * Transcribes speech; the text is empty when nothing was said.
 * Rejects with a `WeftError` of a `model-*` code when the vendor fails. It never retries.
 */
export type SpeechToText = { transcribe(recording: SpeechRecording): Promise<string> };
