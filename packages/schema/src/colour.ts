/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

/** Parses `#rgb`, `#rrggbb` and `rgb(…)`; undefined for colours in other notations. */
function parseColour(text: string): Rgb | undefined {
  const [, digits = ""] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim()) ?? [];
  if (digits !== "") {
    const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
    return toRgb(pairs.map((pair) => Number.parseInt(pair, 16)));
  }
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(text.trim());
  return parts === null ? undefined : toRgb(parts.slice(1).map(Number));
}

function toRgb([red = 0, green = 0, blue = 0]: number[]): Rgb {
  return [red, green, blue];
}

/** Black or white, whichever is more readable on a background; undefined if that cannot be parsed. */
export function readableOn(ground: string): "#000000" | "#ffffff" | undefined {
  const rgb = parseColour(ground);
  if (rgb === undefined) return undefined;
  // The luminance at which both have the same contrast (WCAG 2.2, contrast ratio).
  return luminanceOf(rgb) > 0.179 ? "#000000" : "#ffffff";
}

/** The contrast ratio of two colours, 1 to 21; undefined if one cannot be parsed. Source: WCAG 2.2, contrast ratio. */
export function contrastOf(one: string, other: string): number | undefined {
  const [first, second] = [parseColour(one), parseColour(other)];
  if (first === undefined || second === undefined) return undefined;
  const [darker = 0, lighter = 0] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Source: WCAG 2.2, relative luminance. */
function luminanceOf(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
