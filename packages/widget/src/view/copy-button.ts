import { strings } from "../strings.ts";
import { element, icon, iconButton } from "./element.ts";

/** How long a button says that it copied. */
const thanksMs = 2_000;

/** Copies a block of code. Its words say what happened, to those who listen as well. */
export function codeCopyButton(text: string): HTMLElement {
  const button = element("button", { type: "button", class: "copy", "aria-live": "polite" }, strings.copy);
  button.addEventListener("click", () => {
    void copyWith(text, button, (words) => {
      button.textContent = words ?? strings.copy;
    });
  });
  return button;
}

/** Copies the words of an answer. */
export function answerCopyButton(textOf: () => string): HTMLElement {
  const button = iconButton({
    label: strings.copyAnswer,
    icon: "copy",
    onClick: () =>
      void copyWith(textOf(), button, (words) => {
        const label = words ?? strings.copyAnswer;
        for (const name of ["aria-label", "title"]) button.setAttribute(name, label);
        button.replaceChildren(icon(words === strings.copied ? "done" : "copy"));
      }),
  });
  return button;
}

async function copyWith(text: string, button: HTMLElement, say: (words?: string) => void): Promise<void> {
  say((await copy(text, button)) ? strings.copied : strings.copyFailed);
  setTimeout(() => say(), thanksMs);
}

/** Whether it worked. Pages without HTTPS, and frames that may not use the clipboard, have only the old way. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "hidden-label", "aria-hidden": "true" });
    area.value = text;
    button.after(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    button.focus();
    return isCopied;
  }
}
