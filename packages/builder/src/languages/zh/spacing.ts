/** Where two parts meet; never in a text. */
const seam = "\uE000";
const mixed =
  /(?<=\p{Script=Han})\uE000(?=[\p{Script=Latin}\d(])|(?<=[\p{Script=Latin}\d.,!?%)])\uE000(?=\p{Script=Han})/gu;

/** Joins parts in either script, with a space where Chinese meets Latin letters or digits. The parts stay as they are. */
export function spaced(...parts: readonly string[]): string {
  return parts.join(seam).replaceAll(mixed, " ").replaceAll(seam, "");
}
