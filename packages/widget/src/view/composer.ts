import type { UploadInfo } from "@weft/schema";
import type { WindowTheme } from "../look/options.ts";
import type { Message } from "../session/chat-session.ts";
import { maxUploads, readUploads, refusalOf, takesFiles } from "../session/read-uploads.ts";
import { strings } from "../strings.ts";
import { element, iconButton } from "./element.ts";
import { createVoiceInput, type VoiceInput, type VoiceInputOptions } from "./voice-input.ts";

export type ComposerOptions = {
  textInput: NonNullable<WindowTheme["textInput"]>;
  uploads: UploadInfo;
  draft: string;
  onSend(message: Message): void;
  onStop(): void;
  onTyped(draft: string): void;
};

export type Composer = {
  root: HTMLElement;
  focus(): void;
  /** Lets go of the microphone. */
  leave(): void;
  /** `isBusy`: an answer is under way, so that the button stops it. `words`: the state of the connection. */
  update(state: { isBusy: boolean; words: string }): void;
};

/** Where a message is written. What is typed stays until it is sent, however the connection is. */
export function createComposer(options: ComposerOptions): Composer {
  const { textInput, uploads, draft, onTyped } = options;
  const files: File[] = [];
  let isBusy = false;
  const status = element("p", { class: "status note", role: "status" });
  const problem = element("p", { class: "status error", role: "alert" });
  const list = element("ul", { class: "files", hidden: true });
  const input = inputOf(textInput, draft);
  const sendButton = iconButton({ label: strings.send, icon: "send", class: "send", onClick: () => void send() });
  const stopButton = iconButton({ label: strings.stop, icon: "stop", class: "send", onClick: options.onStop });
  stopButton.hidden = true;

  function showFiles(): void {
    list.hidden = files.length === 0;
    list.replaceChildren(
      ...files.map((file) => {
        const remove = () => {
          files.splice(files.indexOf(file), 1);
          showFiles();
          input.focus();
        };
        return element(
          "li",
          {},
          file.name,
          iconButton({ label: strings.removeFile(file.name), icon: "close", onClick: remove }),
        );
      }),
    );
    sendButton.disabled = isEmpty();
  }

  function isEmpty(): boolean {
    return input.value.trim() === "" && files.length === 0;
  }

  async function send(): Promise<void> {
    if (isBusy || isEmpty() || excess() !== undefined) return;
    try {
      const read = await readUploads(files);
      const text = input.value.trim();
      files.length = 0;
      input.value = "";
      onTyped("");
      showFiles();
      options.onSend({ text, uploads: read });
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : strings.failed;
    }
  }

  /** Says that the message is too long for the theme's limit. */
  function excess(): string | undefined {
    const { maxChars, maxCharsWarningMessage } = textInput;
    if (maxChars === undefined || input.value.length <= maxChars) return undefined;
    return maxCharsWarningMessage || strings.tooLong(maxChars);
  }

  input.addEventListener("input", () => {
    problem.textContent = excess() ?? "";
    sendButton.disabled = isEmpty();
    onTyped(input.value);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  });
  const picker = filePicker(uploads, {
    add(added) {
      const refusals = added.map((file) => refusalOf(file, uploads));
      files.push(...added.filter((_, index) => refusals[index] === undefined));
      const tooMany = files.splice(maxUploads).length > 0 ? strings.tooMany(maxUploads) : undefined;
      problem.textContent = refusals.find((one) => one !== undefined) ?? tooMany ?? "";
      showFiles();
    },
  });
  const voice = voiceOf(uploads, {
    onSend: (recording) => options.onSend({ text: "", uploads: [recording] }),
    onProblem(words) {
      problem.textContent = words;
    },
    onRecording(isOn) {
      line.hidden = isOn;
      if (!isOn) input.focus();
    },
  });
  showFiles();
  const line = element("div", { class: "line" }, ...picker, voice?.button, input, sendButton, stopButton);
  const box = element("div", { class: "box" }, list, line, voice?.bar);
  return {
    root: element("div", { class: "composer" }, status, problem, box),
    focus: () => input.focus(),
    leave: () => voice?.cancel(),
    update(state) {
      isBusy = state.isBusy;
      if (status.textContent !== state.words) status.textContent = state.words;
      const hadFocus = input.getRootNode() instanceof ShadowRoot && (input.getRootNode() as ShadowRoot).activeElement;
      sendButton.hidden = isBusy;
      stopButton.hidden = !isBusy;
      if (voice) voice.button.hidden = isBusy;
      // The button that had the focus is gone.
      if (hadFocus === sendButton || hadFocus === stopButton) input.focus();
    },
  };
}

function inputOf({ placeholder }: ComposerOptions["textInput"], draft: string): HTMLTextAreaElement {
  const words = { "aria-label": strings.message, placeholder: placeholder || strings.placeholder };
  const input = element("textarea", { rows: 1, ...words });
  input.value = draft;
  return input;
}

function voiceOf({ isSpeechToTextEnabled }: UploadInfo, options: VoiceInputOptions): VoiceInput | undefined {
  return isSpeechToTextEnabled ? createVoiceInput(options) : undefined;
}

function filePicker(uploads: UploadInfo, { add }: { add(files: File[]): void }): HTMLElement[] {
  if (!takesFiles(uploads)) return [];
  const input = element("input", {
    type: "file",
    multiple: true,
    hidden: true,
    change() {
      add([...(input.files ?? [])]);
      input.value = "";
    },
  });
  return [input, iconButton({ label: strings.attach, icon: "attach", onClick: () => input.click() })];
}
