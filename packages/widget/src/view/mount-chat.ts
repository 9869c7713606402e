import type { ChatConfig } from "@weft/schema";
import { type ChatOptions, type Look, titleOf, toLook } from "../look/options.ts";
import { type AgentApi, createAgentApi } from "../protocol/agent-api.ts";
import { type ChatMemory, type ChatNote, createChatMemory } from "../session/chat-memory.ts";
import { type ChatSession, createChatSession } from "../session/chat-session.ts";
import { strings } from "../strings.ts";
import { createChatView } from "./chat-view.ts";
import { element, icon, iconButton } from "./element.ts";
import { openShadow } from "./shadow.ts";

/** A chat in an element of a page. */
export type MountedChat = { destroy(): void };

type Opened = { root: HTMLElement; focus(): void; leave(): void; close(): void };

/** The full page: it fills its element. */
export function mountFull(host: HTMLElement, options: ChatOptions): MountedChat {
  const shadow = openShadow(host, toLook(options.theme));
  const place = element("div", { class: "full" });
  shadow.root.append(place);
  const chat = openChat(place, options, { onLook: shadow.wear });
  return {
    destroy() {
      chat.close();
      host.remove();
    },
  };
}

/**
 * The bubble: a button at the edge of the page that opens the chat. The agent's settings are read before, for its colour,
 * unless the page says which one it has.
 */
export function mountBubble(host: HTMLElement, options: ChatOptions): MountedChat {
  const look = toLook(options.theme);
  const shadow = openShadow(host, look);
  const early = look.button.backgroundColor ? undefined : apiOf(options).config();
  let chat: Opened | undefined;
  const place = element("div", { class: "window", role: "dialog", "aria-label": titleOf(look), hidden: true });
  const { customIconSrc, autoWindowOpen = {} } = look.button;
  const face = customIconSrc ? element("img", { src: customIconSrc, alt: "" }) : icon("chat");
  const openFace = icon("down");
  const button = element(
    "button",
    { type: "button", class: early ? "bubble waiting" : "bubble", click: () => (place.hidden ? open() : close()) },
    face,
  );
  const { showTooltip, tooltipMessage } = look.tooltip;
  const tooltip =
    showTooltip && tooltipMessage ? element("div", { class: "tooltip", role: "note" }, tooltipMessage) : undefined;

  function show(isOpen: boolean): void {
    place.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    button.setAttribute("aria-label", isOpen ? strings.close : strings.open);
    button.replaceChildren(isOpen ? openFace : face);
  }

  function open(): void {
    tooltip?.remove();
    show(true);
    const onLook = (worn: Look) => {
      shadow.wear(worn);
      place.setAttribute("aria-label", titleOf(worn));
    };
    chat ??= openChat(place, options, { onLook, onClose: close, early });
    chat.focus();
  }

  function close(): void {
    chat?.leave();
    show(false);
    button.focus();
  }

  place.addEventListener("keydown", (event) => event.key === "Escape" && close());
  shadow.root.append(...[tooltip, button, place].filter((part) => part !== undefined));
  show(false);
  // One that fails is told of when the chat is opened.
  void early
    ?.then(
      (config) => shadow.wear(toLook(options.theme, config)),
      () => undefined,
    )
    .then(() => button.classList.remove("waiting"));
  const isSmall = matchMedia("(max-width: 480px)").matches;
  const opensItself = autoWindowOpen.autoOpen === true && (!isSmall || autoWindowOpen.autoOpenOnMobile === true);
  const timer = opensItself ? setTimeout(open, (autoWindowOpen.openDelay ?? 0) * 1_000) : undefined;
  return {
    destroy() {
      clearTimeout(timer);
      chat?.close();
      host.remove();
    },
  };
}

type Wiring = {
  onLook(look: Look): void;
  onClose?: () => void;
  /** The agent's settings, where they were asked for already. */
  early?: Promise<ChatConfig> | undefined;
};

function apiOf({ chatflowid: agentId, apiHost = location.origin, onRequest }: ChatOptions): AgentApi {
  return createAgentApi({ fetch: (...request) => fetch(...request), apiHost, agentId, onRequest });
}

/** Reads the agent's settings, then shows its chat in `place`; until then, and where that fails, says so there. */
function openChat(place: HTMLElement, options: ChatOptions, { onLook, onClose, early }: Wiring): Opened {
  const { chatflowid: agentId, apiHost = location.origin, theme } = options;
  const api = apiOf(options);
  const memory = createChatMemory({ storage: () => localStorage, apiHost, agentId });
  const leaving = new AbortController();
  let opened: { focus(): void; leave(): void } | undefined;
  let wantsFocus = false;

  async function open(asked = api.config()): Promise<void> {
    place.replaceChildren(noticeOf(strings.loading, { onClose, isLoading: true }));
    try {
      const config = await asked;
      if (leaving.signal.aborted) return;
      const look = toLook(theme, config);
      onLook(look);
      const isFresh = look.window.clearChatOnReload === true;
      const session = createSession(api, options, isFresh ? undefined : memory.read());
      const view = createChatView({ look, config, session, api, onClose });
      place.replaceChildren(view.root);
      keep(session, memory, leaving.signal);
      for (const event of ["online", "offline"]) addEventListener(event, view.update, { signal: leaving.signal });
      leaving.signal.addEventListener("abort", session.close);
      opened = view;
      if (wantsFocus || look.window.textInput?.autoFocus) view.focus();
      void session.followReplies(() => document.visibilityState === "visible");
      await session.resume();
    } catch (error) {
      if (leaving.signal.aborted) return;
      place.replaceChildren(noticeOf(wordsOf(error), { onClose, onRetry: () => void open() }));
    }
  }

  // One that failed before anybody opened the chat is asked for again.
  void open(early?.catch(() => api.config()));
  return {
    root: place,
    focus() {
      wantsFocus = true;
      opened?.focus();
    },
    leave: () => opened?.leave(),
    close() {
      opened?.leave();
      leaving.abort();
    },
  };
}

function createSession(api: AgentApi, options: ChatOptions, kept: ChatNote | undefined): ChatSession {
  return createChatSession({
    api,
    newId,
    observers: options.observersConfig ?? {},
    overrideConfig: options.chatflowConfig,
    kept,
    schedule: (notify) => requestAnimationFrame(notify),
    isOnline: () => navigator.onLine,
    pause,
  });
}

/** Why there is no chat. */
function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return strings.unreachable;
  return (error instanceof Error && error.message) || strings.unavailable;
}

type NoticeOptions = { onClose?: (() => void) | undefined; onRetry?: () => void; isLoading?: boolean };

function noticeOf(words: string, { onClose, onRetry, isLoading }: NoticeOptions): HTMLElement {
  const again = onRetry && element("button", { type: "button", class: "button", click: onRetry }, strings.again);
  const close =
    onClose && element("div", { class: "row" }, iconButton({ label: strings.close, icon: "close", onClick: onClose }));
  return element(
    "div",
    { class: "frame" },
    close,
    element("div", { class: isLoading ? "center loading" : "center", role: "status" }, words, again),
  );
}

/** Milliseconds between two writes while an answer comes. */
const keepEveryMs = 250;

/** Keeps the chat in the browser as it changes, and once more when the page goes. */
function keep(session: ChatSession, memory: ChatMemory, signal: AbortSignal) {
  let isDue = false;
  const write = () => {
    isDue = false;
    memory.write(session.note());
  };
  session.subscribe(() => {
    if (isDue) return;
    isDue = true;
    setTimeout(write, keepEveryMs);
  });
  addEventListener("pagehide", write, { signal });
}

/** A version 4 UUID. `crypto.randomUUID` is missing in pages that were not loaded over HTTPS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  });
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Waits, or until the browser is back online. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
  });
}
