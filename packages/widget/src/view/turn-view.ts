import { isUnderWay } from "@weft/conversation";
import type { Look, WindowTheme } from "../look/options.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import type { Rating } from "../protocol/agent-api.ts";
import type { Reply } from "../session/chat-session.ts";
import type { Answer, Turn } from "../session/conversation.ts";
import type { Aloud } from "../session/read-aloud.ts";
import { strings } from "../strings.ts";
import { avatarOf } from "./avatar.ts";
import { showCitations } from "./citations.ts";
import { answerCopyButton } from "./copy-button.ts";
import { element, icon, iconButton } from "./element.ts";
import { humanAnswer } from "./human-answer.ts";
import { createListenButton, type ListenButton } from "./listen-button.ts";
import { openSource, sourceList } from "./sources.ts";
import { toolSteps } from "./tool-steps.ts";

export type TurnActions = {
  reply(key: string, reply: Reply): void;
  retry(key: string): void;
  /** Rejects when the server did not take it. */
  rate(key: string, rating: Rating): Promise<void>;
};

export type TurnOptions = {
  look: Look;
  takesFeedback: boolean;
  /** Reads the text of an answer aloud, or stops; absent where the agent reads nothing aloud. */
  aloud?: { listen(key: string, text: string): void; stop(): void } | undefined;
  /** Whether a reply or another try can be sent now. */
  actions: TurnActions;
};

/** A message and its answer. `update` draws what changed; the text of a finished answer is drawn once. */
export type TurnView = { root: HTMLElement; update(turn: Turn): void; showAloud(aloud: Aloud | undefined): void };

export function createTurnView(first: Turn, options: TurnOptions): TurnView {
  const { window } = options.look;
  const tools = element("div", { class: "tools", hidden: true });
  const body = element("div", { class: "body text" });
  const state = element("div", { class: "body" });
  const sources = element("div", { class: "body", hidden: true });
  const { author } = first.answer;
  const person = author === undefined ? undefined : author || strings.person;
  const answer = element(
    "div",
    { class: "answer", role: "group", "aria-label": person ?? strings.agent },
    person === undefined ? undefined : element("p", { class: "note" }, person),
    tools,
    body,
    state,
    sources,
  );
  const rating = element("div", { class: "body rating" });
  const listen = options.aloud && listenTo(first.key, body, options.aloud);
  // biome-ignore lint/performance/useDomNodeTextContent: it has the line breaks between paragraphs.
  const copy = answerCopyButton(() => body.innerText);
  const after = element("div", { class: "after", hidden: true }, copy, listen?.root, rating, listen?.problem);
  const words = element("div", {}, first.question);
  const reply = replyOf(options.look, answer, after);
  const root = element("div", { class: "turn" }, ...questionOf(first, words, window), reply);
  let shown: Answer | undefined;

  function textOf({ text, sources: cited }: Answer): DocumentFragment {
    const words = renderMarkdown(text);
    showCitations(words, cited, (number) => openSource(sources, number));
    return words;
  }

  function update({ key, answer: next }: Turn): void {
    if (next === shown) return;
    if (!isWordedAlike(next, shown)) body.replaceChildren(textOf(next));
    words.textContent = first.question || (next.heard ?? "");
    // What is being written is read out once it is whole.
    answer.setAttribute("aria-busy", String(isUnderWay(next)));
    if (!isStatedAlike(next, shown)) state.replaceChildren(...describeState(key, next, options));
    if (!isRatedAlike(next, shown)) rating.replaceChildren(...thumbsOf(key, next, options));
    if (next.toolCalls !== shown?.toolCalls) tools.replaceChildren(...toolsOf(next, window));
    if (next.sources !== shown?.sources) sources.replaceChildren(...sourcesOf(next, window));
    listen?.offer(isReadable(next));
    hideEmpty(next);
    shown = next;
  }

  function hideEmpty(next: Answer): void {
    const parts = [tools, body, state, sources];
    for (const part of parts) part.hidden = part.childNodes.length === 0;
    reply.hidden = parts.every((part) => part.hidden);
    copy.hidden = next.text === "";
    after.hidden = isUnderWay(next) || (copy.hidden && rating.childNodes.length === 0);
  }

  update(first);
  return { root, update, showAloud: (aloud) => listen?.update(aloud) };
}

function isReadable(answer: Answer): boolean {
  return answer.text !== "" && isStored(answer);
}

/** Read is what stands there: the text without the marks of its format. */
function listenTo(key: string, body: HTMLElement, { listen, stop }: NonNullable<TurnOptions["aloud"]>): ListenButton {
  // biome-ignore lint/performance/useDomNodeTextContent: it has the line breaks between paragraphs.
  return createListenButton(key, { listen: () => listen(key, body.innerText), stop });
}

function toolsOf({ toolCalls }: Answer, { showAgentMessages }: WindowTheme): HTMLElement[] {
  return showAgentMessages === true ? toolSteps(toolCalls) : [];
}

function sourcesOf({ sources }: Answer, { sourceDocsTitle = "" }: WindowTheme): HTMLElement[] {
  return sources.length === 0 ? [] : [sourceList(sources, sourceDocsTitle)];
}

function questionOf({ question, attachments }: Turn, words: HTMLElement, { userMessage }: WindowTheme): HTMLElement[] {
  if (question === "" && attachments.length === 0) return [];
  const files = attachments.map(({ name }) => name).join(", ");
  const bubble = element(
    "div",
    { class: "question", role: "group", "aria-label": strings.you },
    words,
    files === "" ? undefined : element("div", { class: "attached" }, icon("attach"), files),
  );
  const shown = withAvatar(bubble, userMessage);
  if (shown !== bubble) shown.classList.add("mine");
  return [shown];
}

/** An answer beside its agent's face: in wide chats, and in all of them where the theme says so. */
function replyOf(look: Look, ...parts: HTMLElement[]): HTMLElement {
  const { showAvatar, avatarSrc } = look.window.botMessage ?? {};
  if (showAvatar === false) return element("div", { class: "reply" }, ...parts);
  const own = showAvatar && avatarSrc ? element("img", { src: avatarSrc, alt: "", class: "avatar" }) : avatarOf(look);
  return element("div", { class: showAvatar ? "reply pictured" : "reply" }, own, ...parts);
}

/** A question, beside a picture where the theme has one. */
function withAvatar(bubble: HTMLElement, theme: WindowTheme["botMessage"]): HTMLElement {
  if (!theme?.showAvatar || !theme.avatarSrc) return bubble;
  return element(
    "div",
    { class: "with-avatar" },
    element("img", { src: theme.avatarSrc, alt: "", class: "avatar" }),
    bubble,
  );
}

function describeState(key: string, answer: Answer, { look: { window }, actions }: TurnOptions): Node[] {
  const { state } = answer;
  switch (state.type) {
    case "sending":
      return [progress(strings.writing)];
    case "writing":
      return progressOf(answer, Object.values(state.steps).at(-1) ?? "");
    case "finished":
      return answer.takenOver === undefined
        ? []
        : [element("p", { class: "note" }, strings.passedOn(answer.takenOver.name))];
    case "waiting":
      return [
        humanAnswer({
          action: state.action,
          onReply: (reply) => actions.reply(key, reply),
          onCheck: () => actions.retry(key),
        }),
      ];
    case "stopped":
      return [element("p", { class: "note" }, strings.stopped)];
    case "failed":
    case "lost": {
      const usual = state.type === "lost" ? strings.lost : window.errorMessage || strings.failed;
      const words = state.failure.message || usual;
      const again = element(
        "button",
        { type: "button", class: "button", click: () => actions.retry(key) },
        strings.again,
      );
      return [element("div", { class: "problem" }, element("p", { class: "error", role: "alert" }, words), again)];
    }
  }
}

/** `step`: what the agent is at; empty where it does not say. A text that grows shows by itself that it is being written. */
function progressOf({ text, toolCalls }: Answer, step: string): HTMLElement[] {
  if (text !== "" && !toolCalls.some(({ status }) => status === "running")) return [];
  return [progress(step === "" ? strings.writing : strings.atStep(step))];
}

function progress(words: string): HTMLElement {
  const dots = element("span", { class: "dots", "aria-hidden": "true" }, element("i"), element("i"), element("i"));
  return element("p", { class: "note" }, dots, words);
}

function isStored({ state, messageId }: Answer): boolean {
  return state.type === "finished" && messageId !== undefined;
}

function thumbsOf(key: string, answer: Answer, { takesFeedback, actions }: TurnOptions): HTMLElement[] {
  return takesFeedback && isStored(answer) ? [thumbs(key, answer, actions)] : [];
}

function isWordedAlike(next: Answer, shown: Answer | undefined): boolean {
  return next.text === shown?.text && next.sources === shown.sources;
}

function isStatedAlike(next: Answer, shown: Answer | undefined): boolean {
  if (next.state !== shown?.state) return false;
  return next.toolCalls === shown.toolCalls && (next.text === "") === (shown.text === "");
}

function isRatedAlike(next: Answer, shown: Answer | undefined): boolean {
  return shown !== undefined && isStored(next) === isStored(shown) && next.rating === shown.rating;
}

function thumbs(key: string, { rating }: Answer, actions: TurnActions): HTMLElement {
  const root = element("div", { class: "body" });
  const note = element("p", { class: "note", role: "status" });
  const send = async (given: Rating) => {
    try {
      await actions.rate(key, given);
      note.textContent = strings.feedbackThanks;
    } catch {
      note.textContent = strings.feedbackFailed;
    }
  };
  const thumb = (name: "good" | "bad", value: Rating["rating"]) => {
    const button = iconButton({
      label: strings[name],
      icon: name,
      onClick: () => void send({ rating: value, content: "" }),
    });
    button.setAttribute("aria-pressed", String(rating === value));
    return button;
  };
  root.append(element("div", { class: "thumbs" }, thumb("good", "THUMBS_UP"), thumb("bad", "THUMBS_DOWN")));
  if (rating !== undefined) note.textContent = strings.feedbackThanks;
  if (rating === "THUMBS_DOWN") root.append(reasonForm((content) => void send({ rating, content })));
  root.append(note);
  return root;
}

/** Asks for the reason. It goes once it was sent. */
function reasonForm(onSend: (content: string) => void): HTMLElement {
  const input = element("textarea", {
    class: "input",
    rows: 2,
    "aria-label": strings.feedbackText,
    placeholder: strings.feedbackText,
  });
  const form = element(
    "form",
    {
      class: "body",
      submit(event) {
        event.preventDefault();
        if (input.value.trim() === "") return;
        onSend(input.value.trim());
        form.remove();
      },
    },
    input,
    element("div", {}, element("button", { type: "submit", class: "button" }, strings.feedbackSend)),
  );
  return form;
}
