import { type Json, parseJson, toJsonObject } from "./json.ts";
import { type ChatLook, chatAppearanceSchema, chatLookSchema } from "./resources/chat-client.ts";

/** Longest texts of a chat's appearance, in characters. Longer ones are cut where visitors get them. */
export const longestChatTexts = {
  title: 200,
  welcomeMessage: 2_000,
  description: 500,
  prompt: 300,
} as const;

/** Messages to begin with: visitors get no more. */
export const mostStarters = 12;

/** Bytes of a picture that is stored within the settings. */
export const largestPictureBytes = 64 * 1_024;

const longestText = 2_000;
const longestStyleSheet = 20_000;
const longestAddress = 2_000;
/** Base64 has four characters for three bytes. */
const longestPicture = Math.ceil(largestPictureBytes / 3) * 4 + 50;
const largestNumber = 10_000;

/**
 * The part of an agent's `chatbotConfig` that visitors may have: fields that chat clients know, each within its limits.
 * Colours that are none, pictures and links of other schemes than `https:` and `http:` are left out. Accepts any text.
 */
export function readChatLook(chatbotConfig: string): ChatLook {
  const config = toJsonObject(parseJson(chatbotConfig));
  const fields = Object.entries(chatLookSchema.shape).flatMap(([name, schema]) => {
    const cleaned = Object.hasOwn(config, name) ? cleanField(name, config[name]) : undefined;
    const { data } = schema.safeParse(cleaned);
    return data === undefined ? [] : [[name, data]];
  });
  return Object.fromEntries(fields);
}

/** The name of an agent as its visitors see it. */
export function toShownName(name: string): string {
  return cutText(name, longestChatTexts.title);
}

/** Whether a `chatbotConfig` has a valid `appearance`, or none. */
export function hasValidAppearance(chatbotConfig: string): boolean {
  const { appearance } = toJsonObject(parseJson(chatbotConfig));
  return appearance === undefined || chatAppearanceSchema.safeParse(appearance).success;
}

/** Whether a text is a colour of CSS and nothing else. */
export function isColour(text: string): boolean {
  return /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/deg]{1,60}\))$/i.test(text);
}

/** Whether a text is the address of a picture that a chat may load, or such a picture itself, of a kind without scripts. */
export function isPicture(text: string): boolean {
  if (text.startsWith("data:")) {
    return text.length <= longestPicture && /^data:image\/(png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/.test(text);
  }
  return isWebAddress(text);
}

function isWebAddress(text: string): boolean {
  return text.length <= longestAddress && /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The settings within settings that chat clients know, by name. */
const partKeys: ReadonlySet<string> = new Set([
  ...["backgroundColor", "textColor", "iconColor", "color", "sendButtonColor", "buttonColor", "buttonTextColor"],
  ...["blurredBackgroundColor", "overlayBackgroundColor", "denyButtonBgColor", "titleBackgroundColor"],
  ...["titleTextColor", "tooltipBackgroundColor", "tooltipTextColor"],
  ...["showAvatar", "avatarSrc", "titleAvatarSrc", "customIconSrc", "backgroundImage"],
  ...["title", "showTitle", "welcomeMessage", "errorMessage", "placeholder", "maxChars", "maxCharsWarningMessage"],
  ...["autoFocus", "sendMessageSound", "sendSoundLocation", "receiveMessageSound", "receiveSoundLocation"],
  ...["enableInputHistory", "maxHistorySize", "text", "company", "companyLink", "date", "time", "message"],
  ...["buttonText", "denyButtonText", "right", "bottom", "size", "dragAndDrop", "autoOpen", "openDelay"],
  ...["autoOpenOnMobile", "autoWindowOpen", "showTooltip", "tooltipMessage", "tooltipFontSize", "height", "width"],
  ...["fontSize", "starterPromptFontSize", "clearChatOnReload", "sourceDocsTitle", "showAgentMessages", "renderHTML"],
  ...["botMessage", "userMessage", "textInput", "feedback", "footer", "dateTimeToggle", "disclaimer"],
  // Of features, each with a schema of its own.
  ...["status", "name", "email", "phone", "successMessage", "allowedUploadFileTypes", "maxUploadSize"],
  ...["generateNewSession", "description", "avatarEmoji", "colorScheme"],
]);

function cleanField(name: string, value: Json | undefined): Json | undefined {
  if (name === "starterPrompts") return cleanPrompts(value);
  return cleanValue(name, value, 0);
}

function cleanValue(name: string, value: Json | undefined, depth: number): Json | undefined {
  switch (typeof value) {
    case "string":
      return cleanText(name, value);
    case "number":
      return Math.abs(value) <= largestNumber ? value : undefined;
    case "boolean":
      return value;
    default:
      return depth > 2 ? undefined : cleanPart(value, depth);
  }
}

function cleanPart(value: Json | undefined, depth: number): Json {
  const entries = Object.entries(toJsonObject(value)).flatMap(([name, part]) => {
    const cleaned = partKeys.has(name) ? cleanValue(name, part, depth + 1) : undefined;
    return cleaned === undefined ? [] : [[name, cleaned]];
  });
  return Object.fromEntries(entries);
}

/** By the ends of the names that clients know. */
function cleanText(name: string, text: string): string | undefined {
  if (/color$/i.test(name)) return isColour(text.trim()) ? text.trim() : undefined;
  if (/(Src|Image)$/.test(name)) return isPicture(text) ? text : undefined;
  if (/(Link|Location)$/.test(name)) return isWebAddress(text) ? text : undefined;
  if (name === "customCSS") return text.length <= longestStyleSheet ? text : undefined;
  return cutText(text, longestOf.get(name) ?? longestText);
}

const longestOf: ReadonlyMap<string, number> = new Map(Object.entries(longestChatTexts));

/** Settings have them by number: `{ "0": { "prompt": "Hello" } }`. */
function cleanPrompts(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  const prompts = Object.values(toJsonObject(value)).flatMap((one) => {
    const { prompt } = toJsonObject(one);
    return typeof prompt === "string" ? [{ prompt: cutText(prompt, longestChatTexts.prompt) }] : [];
  });
  return Object.fromEntries(prompts.slice(0, mostStarters).map((prompt, index) => [index, prompt]));
}

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half a character at the end would be a sign that nobody wrote.
  return `${text
    .slice(0, length - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
