import type { ChatConfig } from "@weft/schema";
import { contrastOf, readableOn } from "@weft/schema/colour";
import type { OnRequest } from "../protocol/agent-api.ts";
import type { Observers } from "../session/chat-session.ts";
import { strings } from "../strings.ts";

/** Options of an embedding page: the names are those of existing widgets for the Flowise API. */
export type ChatOptions = {
  /** Id of the agent. */
  chatflowid: string;
  /** Address of the server. Default: the page's own. */
  apiHost?: string;
  /** Sent with every message as `overrideConfig`. */
  chatflowConfig?: Record<string, unknown>;
  theme?: Theme;
  observersConfig?: Observers;
  onRequest?: OnRequest;
};

type Colours = { backgroundColor?: string; textColor?: string };

export type ButtonTheme = {
  backgroundColor?: string;
  iconColor?: string;
  customIconSrc?: string;
  size?: number | "small" | "medium" | "large";
  /** Pixels from the edges of the window. */
  right?: number;
  bottom?: number;
  autoWindowOpen?: { autoOpen?: boolean; openDelay?: number; autoOpenOnMobile?: boolean };
};

export type TooltipTheme = {
  showTooltip?: boolean;
  tooltipMessage?: string;
  tooltipBackgroundColor?: string;
  tooltipTextColor?: string;
  tooltipFontSize?: number;
};

export type WindowTheme = Colours & {
  showTitle?: boolean;
  title?: string;
  titleAvatarSrc?: string;
  titleBackgroundColor?: string;
  titleTextColor?: string;
  welcomeMessage?: string;
  errorMessage?: string;
  backgroundImage?: string;
  height?: number | string;
  width?: number | string;
  fontSize?: number;
  starterPrompts?: string[];
  /** Before the number of sources. */
  sourceDocsTitle?: string;
  clearChatOnReload?: boolean;
  /** Below the greeting of an empty chat. */
  description?: string;
  /** Stands for the agent where it has no picture. */
  avatarEmoji?: string;
  /** Default: the visitor's. */
  colorScheme?: "light" | "dark";
  /** Whether the tools that an answer used are named. */
  showAgentMessages?: boolean;
  botMessage?: Colours & { showAvatar?: boolean; avatarSrc?: string };
  userMessage?: Colours & { showAvatar?: boolean; avatarSrc?: string };
  textInput?: Colours & {
    placeholder?: string;
    sendButtonColor?: string;
    maxChars?: number;
    maxCharsWarningMessage?: string;
    autoFocus?: boolean;
  };
  feedback?: { color?: string };
  footer?: { text?: string; textColor?: string; company?: string; companyLink?: string };
};

export type Theme = {
  button?: ButtonTheme;
  tooltip?: TooltipTheme;
  chatWindow?: WindowTheme;
  customCSS?: string;
};

/** Appearance of a chat: the agent's settings, overridden by the page's. */
export type Look = {
  /** Of the agent, for chats without a title; empty until the agent's settings are read. */
  name: string;
  button: ButtonTheme;
  tooltip: TooltipTheme;
  window: WindowTheme;
  customCss: string;
};

/** `config` is undefined until the agent's settings are read. */
export function toLook(theme: Theme = {}, config?: ChatConfig): Look {
  const { name, appearance, button, tooltip, chatWindow, starterPrompts, customCSS, ...flat } = toObject(config);
  const settings = mergeObjects(mergeObjects(flat, chatWindow), appearance);
  const prompts = toPrompts(starterPrompts);
  const window = mergeObjects(settings, theme.chatWindow) as WindowTheme;
  return {
    name: typeof name === "string" ? name : "",
    button: mergeObjects(button, theme.button),
    tooltip: mergeObjects(tooltip, theme.tooltip),
    window: { ...window, starterPrompts: theme.chatWindow?.starterPrompts ?? prompts },
    customCss: theme.customCSS ?? (typeof customCSS === "string" ? customCSS : ""),
  };
}

/** The later one's values win; objects in both are merged. */
function mergeObjects(before: unknown, after: unknown): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...toObject(before) };
  for (const [name, value] of Object.entries(toObject(after))) {
    if (value === undefined || value === null) continue;
    merged[name] = isObject(value) && isObject(merged[name]) ? mergeObjects(merged[name], value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Settings have them by number: `{ "0": { "prompt": "Hello" } }`. */
function toPrompts(starterPrompts: unknown): string[] {
  const prompts = Object.values(toObject(starterPrompts)).map((one) => toObject(one).prompt);
  return prompts.filter((prompt): prompt is string => typeof prompt === "string" && prompt !== "");
}

const buttonSizes = { small: 32, medium: 48, large: 64 };

/** Pixels. */
export function toButtonSize({ size }: ButtonTheme): number {
  const given = typeof size === "string" ? buttonSizes[size] : size;
  return Number.isFinite(given) ? Math.min(Math.max(given ?? 48, 24), 200) : 48;
}

/** A length of CSS: numbers are pixels. */
function toLength(value: number | string | undefined): string {
  if (typeof value === "number") return `${value}px`;
  return value !== undefined && /^\d+$/.test(value) ? `${value}px` : (value ?? "");
}

/** Values of the style sheet's variables by name; an empty one keeps the sheet's own. */
export function toVariables({ button, tooltip, window }: Look): Record<string, string> {
  const { botMessage = {}, userMessage = {}, textInput = {}, footer = {}, feedback = {} } = window;
  const bubble = button.backgroundColor ?? textInput.sendButtonColor ?? "";
  return {
    ...toGround("window", window),
    ...toGround("title", { backgroundColor: window.titleBackgroundColor, textColor: window.titleTextColor }),
    ...toGround("answer", botMessage),
    ...toGround("question", userMessage),
    ...toGround("input", textInput),
    ...toGround("bubble", { backgroundColor: bubble, textColor: button.iconColor }),
    ...toGround("send", { backgroundColor: textInput.sendButtonColor }),
    ...toGround("tooltip", { backgroundColor: tooltip.tooltipBackgroundColor, textColor: tooltip.tooltipTextColor }),
    "footer-text": footer.textColor ?? "",
    thumbs: feedback.color ?? "",
    "font-size": toLength(window.fontSize),
    "bubble-size": `${toButtonSize(button)}px`,
    "bubble-right": toLength(button.right),
    "bubble-bottom": toLength(button.bottom),
    height: toLength(window.height),
    width: toLength(window.width),
  };
}

type Ground = { backgroundColor?: string | undefined; textColor?: string | undefined };

/** Below it a text is not readable, whatever its owner chose. Source: WCAG 2.2, large text. */
const leastContrast = 3;

/** A background without a readable text colour gets the more readable one of black and white. */
function toGround(name: string, { backgroundColor = "", textColor = "" }: Ground): Record<string, string> {
  const isReadable = textColor !== "" && (contrastOf(backgroundColor, textColor) ?? leastContrast) >= leastContrast;
  return { [name]: backgroundColor, [`${name}-text`]: isReadable ? textColor : readableText(backgroundColor) };
}

/** Black or white; empty for a colour that is none. */
function readableText(ground: string): string {
  return readableOn(ground) ?? readableOn(toNumbers(ground)) ?? "";
}

/** A colour in numbers, whatever its notation: a browser knows all of them. */
function toNumbers(colour: string): string {
  const brush = colour === "" ? null : globalThis.document?.createElement("canvas").getContext("2d");
  if (!brush) return "";
  brush.fillStyle = colour;
  return String(brush.fillStyle);
}

/** The colour scheme for the window's background, or else the chosen one; undefined: the visitor's. */
export function toScheme({ window: { backgroundColor = "", colorScheme } }: Look): "light" | "dark" | undefined {
  const text = readableText(backgroundColor);
  if (text !== "") return text === "#000000" ? "light" : "dark";
  return colorScheme === "light" || colorScheme === "dark" ? colorScheme : undefined;
}

/** What the chat is called. */
export function titleOf({ window, name }: Look): string {
  return window.title || name || strings.title;
}
