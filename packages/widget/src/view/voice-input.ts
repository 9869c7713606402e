import type { Upload } from "../session/chat-session.ts";
import { readAsAddress } from "../session/read-uploads.ts";
import { strings } from "../strings.ts";
import { element, iconButton } from "./element.ts";

export type VoiceInputOptions = {
  onSend(recording: Upload): void;
  /** Says why nothing was recorded; empty: nothing is wrong. */
  onProblem(words: string): void;
  onRecording(isOn: boolean): void;
};

export type VoiceInput = {
  /** Begins to record. */
  button: HTMLButtonElement;
  /** Stands in the place of the message while it records. */
  bar: HTMLElement;
  /** Lets go of the microphone; what was recorded is dropped. */
  cancel(): void;
};

/** The recording ends, and is sent, after so long. */
const mostSeconds = 300;

/** Takes a message as speech. Undefined where the browser cannot record, as in pages that were not loaded over HTTPS. */
export function createVoiceInput(options: VoiceInputOptions): VoiceInput | undefined {
  if (navigator.mediaDevices?.getUserMedia === undefined || typeof MediaRecorder === "undefined") return undefined;
  const clock = element("span", { class: "grow" });
  const cancelButton = iconButton({ label: strings.cancelRecording, icon: "close", onClick: () => finish("drop") });
  const sendButton = iconButton({
    label: strings.sendRecording,
    icon: "send",
    class: "send",
    onClick: () => finish("send"),
  });
  const bar = element("div", { class: "line recording", hidden: true }, cancelButton, clock, sendButton);
  const button = iconButton({ label: strings.record, icon: "microphone", onClick: () => void begin() });
  let finish: (how: "send" | "drop") => void = () => undefined;

  function show(isOn: boolean): void {
    bar.hidden = !isOn;
    options.onRecording(isOn);
    if (isOn) sendButton.focus();
  }

  async function begin(): Promise<void> {
    let isWanted = true;
    finish = () => {
      isWanted = false;
    };
    options.onProblem("");
    button.disabled = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (isWanted) record(stream);
      else release(stream);
    } catch (error) {
      options.onProblem(refusalOf(error));
    } finally {
      button.disabled = false;
    }
  }

  function record(stream: MediaStream): void {
    const recorder = new MediaRecorder(stream);
    const pieces: Blob[] = [];
    let how: "send" | "drop" = "send";
    let seconds = 0;
    const tell = () => {
      clock.textContent = strings.recording(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    };
    const ticking = setInterval(() => {
      seconds += 1;
      tell();
      if (seconds >= mostSeconds) finish("send");
    }, 1_000);
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => {
      clearInterval(ticking);
      release(stream);
      show(false);
      if (how === "send") void send(pieces, recorder.mimeType);
    };
    finish = (asked) => {
      how = asked;
      if (recorder.state !== "inactive") recorder.stop();
    };
    recorder.start();
    tell();
    show(true);
  }

  async function send(pieces: Blob[], type: string): Promise<void> {
    // What follows the type, such as the codec, is in the recording, too.
    const mime = type.split(";", 1)[0] || "audio/webm";
    const recording = new File(pieces, `audio.${mime.split("/")[1]}`, { type: mime });
    if (recording.size === 0) return options.onProblem(strings.nothingRecorded);
    try {
      options.onSend({ type: "audio", name: recording.name, mime, data: await readAsAddress(recording) });
    } catch {
      options.onProblem(strings.nothingRecorded);
    }
  }

  return { button, bar, cancel: () => finish("drop") };
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Why the microphone cannot be used, by the name that browsers give it. Source: Media Capture, `getUserMedia`. */
function refusalOf(error: unknown): string {
  const { name = "" } = error instanceof Error ? error : {};
  if (name === "NotAllowedError" || name === "SecurityError") return strings.microphoneDenied;
  return name === "NotFoundError" ? strings.microphoneMissing : strings.microphoneFailed;
}
