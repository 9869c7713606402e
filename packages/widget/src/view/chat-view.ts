import type { ChatConfig } from "@weft/schema";
import { type Look, titleOf, type WindowTheme } from "../look/options.ts";
import type { AgentApi } from "../protocol/agent-api.ts";
import type { ChatSession, ChatView, Message } from "../session/chat-session.ts";
import { openTurn, type Turn } from "../session/conversation.ts";
import { createReadAloud, type ReadAloud } from "../session/read-aloud.ts";
import { strings } from "../strings.ts";
import { avatarOf } from "./avatar.ts";
import { createComposer } from "./composer.ts";
import { element, iconButton } from "./element.ts";
import { leadForm, startForm } from "./forms.ts";
import { createPlay } from "./play-sound.ts";
import { createTurnView, type TurnView } from "./turn-view.ts";

export type ChatViewOptions = {
  look: Look;
  config: ChatConfig;
  session: ChatSession;
  api: Pick<AgentApi, "readAloud" | "stopReadingAloud">;
  /** Absent for a chat that has the page to itself. */
  onClose?: (() => void) | undefined;
};

/** A chat: header, conversation, and what a visitor writes into. */
export function createChatView({ look, config, session, api, onClose }: ChatViewOptions) {
  const { window } = look;
  const send = (message: Message) => void session.send(message);
  const composer = createComposer({
    textInput: window.textInput ?? {},
    uploads: config.uploads,
    draft: session.view().draft,
    onSend: send,
    onStop: () => void session.stop(),
    onTyped: session.typed,
  });
  const aloud = createReadAloud({ api, play: createPlay(), onChange: () => log.showAloud() });
  const log = createLog({ look, config, session, send, aloud });
  const root = element(
    "div",
    { class: window.botMessage?.backgroundColor ? "frame bubbled" : "frame" },
    headerOf({ look, onNew: newChat, onClose }),
    log.root,
    composer.root,
    footerOf(window),
  );

  function newChat(): void {
    leave();
    session.newChat();
    composer.focus();
  }

  function leave(): void {
    composer.leave();
    aloud.stop();
  }

  function update(): void {
    const view = session.view();
    const focused = (root.getRootNode() as Partial<ShadowRoot>).activeElement;
    log.update(view);
    root.classList.toggle("empty", view.turns.length === 0);
    // A button that did its work is gone: keys go on from the conversation.
    if (focused?.isConnected === false) log.root.focus();
    composer.root.hidden = config.form !== undefined || needsLead(config, view);
    composer.update({ isBusy: openTurn(view.turns) !== undefined, words: lineWords(view) });
  }

  session.hearWith({
    hear(key, frame) {
      const { chatId, turns } = session.view();
      const { messageId = key } = turns.find((turn) => turn.key === key)?.answer ?? {};
      aloud.hear({ key, chatId, messageId }, frame);
    },
    over: aloud.over,
  });
  session.subscribe(update);
  update();
  return {
    root,
    focus: () => (composer.root.hidden ? log.root.focus() : composer.focus()),
    /** Nobody looks at it: the microphone is let go of, and nothing is read aloud. */
    leave,
    /** Draws the state of the connection again. */
    update,
  };
}

function lineWords({ line }: ChatView): string {
  if (!navigator.onLine || line === "offline") return strings.offline;
  return line === "reconnecting" ? strings.reconnecting : "";
}

/** A form that asks for nothing is not shown. */
function needsLead({ leads }: ChatConfig, { hasLead, turns }: ChatView): boolean {
  if (!leads?.status || hasLead || turns.length > 0) return false;
  return leads.name === true || leads.email === true || leads.phone === true;
}

type HeaderOptions = { look: Look; onNew(): void; onClose: (() => void) | undefined };

function headerOf({ look, onNew, onClose }: HeaderOptions): HTMLElement {
  const isShown = look.window.showTitle !== false;
  return element(
    "header",
    { class: "header" },
    isShown ? avatarOf(look) : undefined,
    element("h1", { class: isShown ? "" : "hidden-label" }, titleOf(look)),
    iconButton({ label: strings.newChat, icon: "restart", onClick: onNew }),
    onClose && iconButton({ label: strings.close, icon: "close", onClick: onClose }),
  );
}

function footerOf({ footer = {} }: WindowTheme): HTMLElement | undefined {
  const { text = "", company = "", companyLink = "" } = footer;
  if (text === "" && company === "") return undefined;
  const isLink = /^https?:\/\//.test(companyLink);
  const name = isLink
    ? element("a", { href: companyLink, target: "_blank", rel: "noopener noreferrer" }, company || companyLink)
    : company;
  return element("footer", { class: "footer" }, text, text === "" ? "" : " ", name);
}

type LogOptions = {
  look: Look;
  config: ChatConfig;
  session: ChatSession;
  send(message: Message): void;
  aloud: ReadAloud;
};

/** Distance from the end, in pixels, within which new text is followed. */
const nearEnd = 80;

function createLog({ look, config, session, send, aloud }: LogOptions) {
  const { window } = look;
  const views = new Map<string, TurnView>();
  const turns = element("div", { class: "body" });
  const end = element("div", { class: "body" });
  const column = element("div", { class: "column" }, heroOf(look, config), turns, end);
  const root = element(
    "div",
    { class: "log", role: "log", "aria-label": strings.conversation, "aria-live": "polite", tabindex: 0 },
    column,
  );
  if (window.backgroundImage) root.style.backgroundImage = `url(${JSON.stringify(window.backgroundImage)})`;
  let shownEnd = "";

  function viewOf(turn: Turn): TurnView {
    const view = views.get(turn.key) ?? createTurnView(turn, turnOptions);
    views.set(turn.key, view);
    return view;
  }

  const turnOptions = {
    look,
    takesFeedback: config.chatFeedback?.status === true,
    aloud: config.isTTSEnabled ? { listen, stop: aloud.stop } : undefined,
    actions: {
      reply: (key: string, reply: Parameters<ChatSession["answer"]>[1]) => void session.answer(key, reply),
      retry: (key: string) => void session.retry(key),
      rate: session.rate,
    },
  };

  function listen(key: string, text: string): void {
    const { chatId, turns: all } = session.view();
    const messageId = all.find((turn) => turn.key === key)?.answer.messageId ?? key;
    void aloud.listen({ key, chatId, messageId, text });
  }

  /** What follows the turns, by name, so that a form that is being filled in stays as it is. */
  function endOf(view: ChatView): keyof typeof ends {
    if (needsLead(config, view)) return "lead";
    if (view.turns.length === 0) return config.form === undefined ? "prompts" : "form";
    const isOpen = view.turns.some(({ answer: { state } }) => ["sending", "writing", "waiting"].includes(state.type));
    if (isOpen) return "nothing";
    return config.form === undefined ? "followUps" : "again";
  }

  const ends = {
    nothing: () => [],
    lead: () => (config.leads ? [leadForm(config.leads, session.saveLead)] : []),
    form: () => (config.form ? [startForm(config.form, send)] : []),
    again: () => [
      element(
        "div",
        {},
        element("button", { type: "button", class: "button", click: session.newChat }, strings.formAgain),
      ),
    ],
    prompts: () => promptsOf(window.starterPrompts, send),
    followUps: ({ turns }: ChatView) => promptsOf(turns.at(-1)?.answer.followUps, send),
  };

  function removeGone(view: ChatView): void {
    const keys = new Set(view.turns.map(({ key }) => key));
    for (const [key, { root: gone }] of views) {
      if (keys.has(key)) continue;
      gone.remove();
      views.delete(key);
    }
  }

  function update(view: ChatView): void {
    const isAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < nearEnd;
    const isNew = view.turns.some(({ key }) => !views.has(key));
    removeGone(view);
    for (const turn of view.turns) {
      const turnView = viewOf(turn);
      if (turnView.root.parentNode !== turns) turns.append(turnView.root);
      turnView.update(turn);
    }
    const nextEnd = endOf(view);
    const endKey = `${nextEnd} ${view.turns.at(-1)?.key}`;
    if (endKey !== shownEnd) end.replaceChildren(...ends[nextEnd](view));
    shownEnd = endKey;
    if (isAtEnd || isNew) root.scrollTop = root.scrollHeight;
  }

  return {
    root,
    update,
    showAloud() {
      for (const view of views.values()) view.showAloud(aloud.view());
    },
  };
}

/** A greeting of more characters is set as text and not as a headline. */
const longGreeting = 90;

/** Who one talks to. It is large while the chat is empty. */
function heroOf(look: Look, { isRehearsal }: ChatConfig): HTMLElement {
  const { welcomeMessage = "", description } = look.window;
  const isLong = welcomeMessage.length > longGreeting;
  return element(
    "div",
    { class: "hero" },
    avatarOf(look),
    element("p", { class: isLong ? "greeting long" : "greeting" }, welcomeMessage || strings.greeting),
    description ? element("p", { class: "about" }, description) : undefined,
    isRehearsal ? element("p", { class: "note" }, strings.rehearsal) : undefined,
  );
}

function promptsOf(prompts: readonly string[] = [], send: LogOptions["send"]): HTMLElement[] {
  if (prompts.length === 0) return [];
  const buttons = prompts.map((text) =>
    element("button", { type: "button", class: "button", click: () => send({ text }) }, text),
  );
  return [element("div", { class: "prompts", role: "group", "aria-label": strings.suggestions }, ...buttons)];
}
