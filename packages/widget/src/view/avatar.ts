import type { Look } from "../look/options.ts";
import { titleOf } from "../look/options.ts";
import { element } from "./element.ts";

/** The face of an agent: its picture, its emoji, or its first letter on a colour that its name always has. */
export function avatarOf(look: Look): HTMLElement {
  const { titleAvatarSrc, avatarEmoji } = look.window;
  if (titleAvatarSrc) return picture(titleAvatarSrc, look);
  if (avatarEmoji) return element("span", { class: "avatar emoji", "aria-hidden": "true" }, avatarEmoji);
  return drawn(look);
}

/** A picture. One that cannot be loaded makes way for the letter. */
function picture(src: string, look: Look): HTMLElement {
  const image = element("img", { src, alt: "", class: "avatar" });
  image.addEventListener("error", () => image.replaceWith(drawn(look)));
  return image;
}

function drawn(look: Look): HTMLElement {
  const name = titleOf(look).trim();
  const letter = [...name].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? "?";
  const face = element("span", { class: "avatar drawn", "aria-hidden": "true" }, letter.toLocaleUpperCase());
  const isColoured = Boolean(look.button.backgroundColor || look.window.textInput?.sendButtonColor);
  // Dark enough for white letters in every hue.
  const ground = isColoured ? "var(--accent)" : `oklch(0.52 0.15 ${hueOf(name)})`;
  face.style.setProperty("--drawn", ground);
  face.style.setProperty("--drawn-text", isColoured ? "var(--accent-text)" : "#ffffff");
  return face;
}

/** Degrees; the same for the same text. */
function hueOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 3_600;
  return sum / 10;
}
