import {
  isPicture,
  type Json,
  type JsonObject,
  parseJsonObject,
  readChatLook,
  textOrEmpty,
  toJsonObject,
} from "@weft/schema";
import { contrastOf, readableOn } from "@weft/schema/colour";

/** How an agent's chat looks to visitors, while it is edited. Empty texts stand for what the chat shows by itself. */
export type Appearance = {
  title: string;
  avatar: "letter" | "emoji" | "picture";
  emoji: string;
  /** An address, or the picture itself as `data:`. */
  picture: string;
  greeting: string;
  description: string;
  starters: readonly string[];
  /** `#rrggbb`, or a colour as another client stored it. */
  colour: string;
  scheme: "system" | "light" | "dark";
  showsTools: boolean;
  /** Whether grounds have colours of another client, which fix the scheme. */
  hasOtherColours: boolean;
};

/** Reads the look of a `chatbotConfig`, whichever client stored it. */
export function toAppearance(chatbotConfig: string): Appearance {
  const look = readChatLook(chatbotConfig);
  const { description = "", avatarEmoji = "", colorScheme = "system" } = look.appearance ?? {};
  const picture = look.titleAvatarSrc ?? "";
  return {
    title: look.title ?? "",
    avatar: picture !== "" ? "picture" : avatarEmoji === "" ? "letter" : "emoji",
    emoji: avatarEmoji,
    picture,
    greeting: look.welcomeMessage ?? "",
    description,
    starters: Object.values(look.starterPrompts ?? {}).flatMap(({ prompt }) => (prompt === "" ? [] : [prompt])),
    colour: textOrEmpty(look.textInput?.sendButtonColor) || textOrEmpty(look.userMessage?.backgroundColor),
    scheme: colorScheme,
    showsTools: look.showAgentMessages === true,
    hasOtherColours: groundsIn(toJsonObject(parseJsonObject(chatbotConfig))).length > 0,
  };
}

/**
 * A `chatbotConfig` with this look, under the keys that clients of Flowise read where they have one. Everything else in it
 * stays as it is, and so does what was not changed.
 */
export function withAppearance(chatbotConfig: string, changed: Appearance): string {
  const before = toAppearance(chatbotConfig);
  const config = { ...toJsonObject(parseJsonObject(chatbotConfig)) };
  if (before.hasOtherColours && !changed.hasOtherColours) dropGrounds(config);
  if (changed.title !== before.title) put(config, "title", changed.title.trim());
  if (changed.greeting !== before.greeting) put(config, "welcomeMessage", changed.greeting.trim());
  if (changed.colour !== before.colour) paint(config, changed.colour);
  if (changed.showsTools !== before.showsTools) config.showAgentMessages = changed.showsTools;
  if (!isSame(changed.starters, before.starters)) {
    const prompts = changed.starters.map((prompt, index) => [index, { prompt }]);
    put(config, "starterPrompts", Object.fromEntries(prompts));
  }
  put(config, "titleAvatarSrc", changed.avatar === "picture" ? changed.picture : "");
  putIn(config, "appearance", {
    description: changed.description.trim(),
    avatarEmoji: changed.avatar === "emoji" ? changed.emoji : "",
    colorScheme: changed.scheme === "system" ? "" : changed.scheme,
  });
  return JSON.stringify(config);
}

/** What of an appearance cannot be saved. What is stored already can: clients before this one were less strict. */
export function mistakesIn(
  { avatar, emoji, picture, colour }: Appearance,
  stored?: Appearance,
): readonly ("emoji" | "picture" | "colour")[] {
  const mistakes = {
    emoji: avatar === "emoji" && !/^\p{RGI_Emoji}$/v.test(emoji),
    picture:
      avatar === "picture" && picture !== stored?.picture && !(isPicture(picture) && /^(https|data):/i.test(picture)),
    colour: colour !== "" && colour !== stored?.colour && !/^#[\da-f]{6}$/i.test(colour),
  };
  return (["emoji", "picture", "colour"] as const).filter((name) => mistakes[name]);
}

/** The pages on which a chat stands, as the widget has them without other colours. */
const grounds = { light: "#ffffff", dark: "#131519" } as const;

/** What is needed to see a button. Source: WCAG 2.2, non-text contrast. */
const leastContrast = 3;

/** How text is read on a colour, and on which pages the colour is hard to see; undefined if it cannot be told. */
export function judgeColour(colour: string, scheme: Appearance["scheme"]) {
  const text = readableOn(colour);
  const ratio = text && contrastOf(colour, text);
  if (text === undefined || ratio === undefined) return undefined;
  const schemes = scheme === "system" ? (["light", "dark"] as const) : [scheme];
  const faintOn = schemes.filter((one) => (contrastOf(colour, grounds[one]) ?? leastContrast) < leastContrast);
  return { text: text === "#000000" ? ("black" as const) : ("white" as const), ratio, faintOn };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An empty value is none. */
function put(config: JsonObject, name: string, value: Json): void {
  const isEmpty = value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  if (isEmpty) delete config[name];
  else config[name] = value;
}

function putIn(config: JsonObject, part: string, values: JsonObject): void {
  const changed = { ...toJsonObject(config[part]) };
  for (const [name, value] of Object.entries(values)) put(changed, name, value ?? "");
  put(config, part, changed);
}

/** Where visitors see the colour: their messages, and the button that sends them. */
function paint(config: JsonObject, colour: string): void {
  putIn(config, "userMessage", { backgroundColor: colour, textColor: readableOn(colour) ?? "" });
  putIn(config, "textInput", { sendButtonColor: colour });
  if (typeof toJsonObject(config.button).backgroundColor === "string") {
    putIn(config, "button", { backgroundColor: colour, iconColor: readableOn(colour) ?? "" });
  }
}

/** The colours besides that one, by the setting that they are in; those of the chat itself have an empty one. */
const groundKeys = [
  ...["backgroundColor", "backgroundImage", "titleBackgroundColor", "titleTextColor", "textColor"].map(
    (key) => ["", key] as const,
  ),
  ...["botMessage", "textInput"].flatMap((part) => [[part, "backgroundColor"] as const, [part, "textColor"] as const]),
];

function groundsIn(config: JsonObject): readonly (readonly [part: string, key: string])[] {
  return groundKeys.filter(([part, key]) => Object.hasOwn(part === "" ? config : toJsonObject(config[part]), key));
}

function dropGrounds(config: JsonObject): void {
  for (const [part, key] of groundsIn(config)) {
    if (part === "") delete config[key];
    else putIn(config, part, { [key]: "" });
  }
}
