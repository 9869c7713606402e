import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Bytes of JavaScript after gzip. */
export type WidgetSizes = {
  /** What a page that embeds the chat loads. */
  widget: number;
  /** What the hosted page loads before its first paint. */
  page: number;
};

/** Source: issue 18, "Way out". */
const widgetBudgets: WidgetSizes = { widget: 40_000, page: 60_000 };

/** Throws when a file is not in the build, or when the client was cut into several: each is a further round trip. */
export function measureWidget(dist: string): WidgetSizes {
  const code = readFileSync(join(dist, "widget.js"), "utf8");
  if (/^import\b|\bimport\(|\bfrom["']/m.test(code))
    throw new Error("widget.js must be one file, but it imports others.");
  const sizeOf = (name: string) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  const widget = sizeOf("widget.js");
  return { widget, page: widget + sizeOf("chat-page.js") };
}

/** One sentence for each budget that is exceeded. */
export function findWidgetExcess(sizes: WidgetSizes): string[] {
  const names = ["widget", "page"] as const;
  return names.flatMap((name) =>
    sizes[name] > widgetBudgets[name]
      ? [`widget: ${name} is ${toKb(sizes[name])} of JavaScript after gzip; ${toKb(widgetBudgets[name])} are allowed.`]
      : [],
  );
}

export function describeWidget({ widget, page }: WidgetSizes): string {
  return `widget: ${toKb(widget)} embedded, ${toKb(page)} on its own page (JavaScript after gzip).`;
}

function toKb(bytes: number): string {
  return `${Math.round(bytes / 1_000)} kB`;
}
