import { writeFileSync } from "node:fs";
import { type HistoryLine, readHistory } from "./history.ts";

/** A figure over the runs that measured it. */
type Series = { title: string; points: readonly { ratio: number; commit: string; at: string }[] };

const kinds = {
  check: "beside the last release, in the same rounds (1 = equal)",
  all: "beside the same request without Weft, in the same rounds",
} as const;

const columns = 3;
const cell = { width: 250, height: 130 };
const plot = { left: 40, top: 34, width: 196, height: 62 };

/** Redraws the picture in the documentation. */
export function writePicture(): void {
  writeFileSync(new URL("../../../docs/reference/bench-history.svg", import.meta.url), drawHistory(readHistory()));
}

/** An SVG picture of the history: a plot for each figure, of its ratios alone, since machines differ. */
export function drawHistory(lines: readonly HistoryLine[]): string {
  let y = 12;
  const parts: string[] = [];
  for (const [kind, says] of Object.entries(kinds)) {
    const series = toSeries(lines.filter((line) => line.kind === kind));
    if (series.length === 0) continue;
    parts.push(`<text class="head" x="8" y="${y + 12}">Each ${escapeXml(says)}</text>`);
    y += 24;
    for (const [index, one] of series.entries()) {
      const [row, column] = [Math.floor(index / columns), index % columns];
      const place = `translate(${column * cell.width} ${y + row * cell.height})`;
      parts.push(`<g transform="${place}">${drawSeries(one)}</g>`);
    }
    y += Math.ceil(series.length / columns) * cell.height + 12;
  }
  const size = `viewBox="0 0 ${columns * cell.width} ${y}" width="${columns * cell.width}" height="${y}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>Figures of the bench over time</title>\n${style}\n${parts.join("\n")}\n</svg>\n`;
}

function toSeries(lines: readonly HistoryLine[]): Series[] {
  const measured = lines.flatMap(({ at, commit, figures }) => figures.map((figure) => ({ at, commit, figure })));
  const byName = Map.groupBy(measured, ({ figure: { name, database, title } }) =>
    [name, title, database === "sqlite" ? "" : database].join("\n"),
  );
  return Array.from(byName.values(), (entries) => ({
    title: titleOf(entries[0]?.figure),
    points: entries.flatMap(({ at, commit, figure: { ratio } }) =>
      ratio === undefined ? [] : [{ ratio, commit, at }],
    ),
  })).filter(({ points }) => points.length > 0);
}

function titleOf(figure: HistoryLine["figures"][number] | undefined): string {
  if (figure === undefined) return "";
  const { name, title, database } = figure;
  const isNamed = title.includes(name) || name === "predictions" || name === "latency";
  return [isNamed ? title : `${name}: ${title}`, database === "sqlite" ? "" : `(${database})`].join(" ").trim();
}

function drawSeries({ title, points }: Series): string {
  const ratios = points.map(({ ratio }) => ratio);
  const [low, high] = boundsOf(ratios);
  const step = points.length > 1 ? plot.width / (points.length - 1) : 0;
  const xOf = (index: number) => fixed(plot.left + (points.length > 1 ? index * step : plot.width / 2));
  const yOf = (ratio: number) => fixed(plot.top + plot.height * (1 - (ratio - low) / (high - low)));
  const line = ratios.map((ratio, index) => `${xOf(index)},${yOf(ratio)}`).join(" ");
  const dots = points.map(({ ratio, commit, at }, index) => {
    const says = `${at.slice(0, 10)} ${commit.slice(0, 8)}: ${ratio}`;
    return `<circle cx="${xOf(index)}" cy="${yOf(ratio)}" r="2.5"><title>${escapeXml(says)}</title></circle>`;
  });
  const marks = [low, high].map(
    (ratio) => `<text class="mark" x="${plot.left - 6}" y="${yOf(ratio) + 3}">${ratio.toPrecision(2)}</text>`,
  );
  const equal =
    low < 1 && high > 1
      ? `<line class="equal" x1="${plot.left}" x2="${plot.left + plot.width}" y1="${yOf(1)}" y2="${yOf(1)}"/>`
      : "";
  const last = ratios.at(-1) ?? 0;
  return [
    `<text x="8" y="16">${escapeXml(title)}</text>`,
    `<rect x="${plot.left}" y="${plot.top}" width="${plot.width}" height="${plot.height}"/>`,
    ...marks,
    equal,
    `<polyline points="${line}"/>`,
    ...dots,
    `<text class="last" x="${plot.left + plot.width}" y="28">${last}</text>`,
  ].join("");
}

/** With room above and below, and never so close that noise looks like a cliff. */
function boundsOf(ratios: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const room = Math.max((high - low) * 0.2, high * 0.1);
  return [Math.max(0, low - room), high + room];
}

function fixed(value: number): number {
  return Number(value.toFixed(1));
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const style = `<style>
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .head { font-weight: 600 } .mark { font-size: 10px; text-anchor: end; fill: #777 } .last { text-anchor: end; fill: #5b3fd6 }
  rect { fill: none; stroke: #ddd } polyline { fill: none; stroke: #7048e8; stroke-width: 1.5 } circle { fill: #7048e8 }
  .equal { stroke: #999; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .mark { fill: #999 } .last { fill: #b197fc } rect { stroke: #444 } polyline { stroke: #9775fa } circle { fill: #9775fa }
  }
</style>`;
