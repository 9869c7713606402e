import type { MessageAction } from "@weft/schema";
import type { Reply } from "../session/chat-session.ts";
import { strings } from "../strings.ts";
import { element } from "./element.ts";

type Options = { action: MessageAction; onReply(reply: Reply): void; onCheck(): void };

/** What a waiting run asks for: yes or no with a comment if it takes one, one of several options, or words. */
export function humanAnswer({ action, onReply, onCheck }: Options): HTMLElement {
  // A wait without buttons is decided by the team.
  const words = wordsOf(action);
  if (action.elements.length === 0 && words === undefined) return waitsForTeam(onCheck);
  return words === undefined ? decision(action, onReply) : wordsInput(words, onReply);
}

function waitsForTeam(onCheck: () => void): HTMLElement {
  const check = element("button", { type: "button", class: "button", click: onCheck }, strings.check);
  return element("div", { class: "body" }, element("p", { class: "note" }, strings.waitsForTeam), check);
}

function decision({ mapping, data }: MessageAction, onReply: Options["onReply"]): HTMLElement {
  const { approve, reject } = mapping;
  const comment = element("textarea", {
    class: "input",
    rows: 2,
    "aria-label": strings.comment,
    placeholder: strings.comment,
  });
  const button = (type: Reply["type"], label: string) =>
    element(
      "button",
      {
        type: "button",
        class: type === "proceed" ? "button primary" : "button",
        click: () => onReply({ type, label, feedback: comment.value.trim() }),
      },
      label,
    );
  const takesComment = toObject(data?.input).humanInputEnableFeedback !== false;
  return element(
    "div",
    { class: "body", role: "group", "aria-label": strings.approval },
    takesComment ? comment : undefined,
    element("div", { class: "row" }, button("proceed", approve), button("reject", reject)),
  );
}

/** `takesText`: any text is an answer, not only an option. */
type Words = { options: string[]; takesText: boolean };

function wordsInput({ options, takesText }: Words, onReply: Options["onReply"]): HTMLElement {
  const reply = (feedback: string) => onReply({ type: "proceed", label: feedback, feedback });
  const buttons = options.map((option) =>
    element("button", { type: "button", class: "button", click: () => reply(option) }, option),
  );
  const input = element("textarea", {
    class: "input",
    rows: 2,
    "aria-label": strings.reply,
    placeholder: strings.reply,
  });
  const form = element(
    "form",
    {
      class: "body",
      submit(event) {
        event.preventDefault();
        if (input.value.trim() !== "") reply(input.value.trim());
      },
    },
    input,
    element("div", {}, element("button", { type: "submit", class: "button primary" }, strings.send)),
  );
  return element(
    "div",
    { class: "body", role: "group", "aria-label": strings.approval },
    options.length > 0 ? element("div", { class: "row" }, ...buttons) : undefined,
    takesText ? form : undefined,
  );
}

/** Undefined for a question that is answered with yes or no. */
function wordsOf({ data }: MessageAction): Words | undefined {
  const { answer } = toObject(data?.input);
  if (typeof answer !== "object" || answer === null) return undefined;
  const { options, type, otherAnswers } = answer as Record<string, unknown>;
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === "string") : [];
  return { options: texts, takesText: type === "text" || otherAnswers === true || texts.length === 0 };
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
