import { endOf, type TimeScale } from "./time-scale.ts";
import type { TimelineNode } from "./timeline-tree.ts";
import classes from "./waterfall.module.css";

/** The work of a row, and apart from it its waits. */
export function Bar({ node, scale, nowMs }: { node: TimelineNode; scale: TimeScale; nowMs: number }) {
  const place = (startMs: number, endMs: number) => {
    const start = scale.position(startMs);
    return { insetInlineStart: `${start * 100}%`, width: `${(scale.position(endMs) - start) * 100}%` };
  };
  return (
    <>
      {workSpansOf(node, nowMs).map(({ from, to }) => (
        <span key={from} className={classes.bar} style={place(from, to)} />
      ))}
      {node.waits.map((wait) => (
        <span
          key={wait.startMs}
          className={classes.wait}
          data-person={wait.asksPerson || undefined}
          style={place(wait.startMs, endOf(wait, nowMs))}
        />
      ))}
    </>
  );
}

/** When a row worked: the times between its waits. */
function workSpansOf(node: TimelineNode, nowMs: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let from = node.startMs;
  for (const wait of node.waits) {
    spans.push({ from, to: wait.startMs });
    from = endOf(wait, nowMs);
  }
  const end = endOf(node, nowMs);
  // It waits still: nothing came after.
  return node.waits.at(-1)?.endMs === null ? spans : [...spans, { from, to: Math.max(from, end) }];
}

/** Pauses of the run, and waits for a person, behind the bar of a row. */
export function Gaps({ scale: { pauses, bands } }: { scale: TimeScale }) {
  const place = ({ at, width }: { at: number; width: number }) => ({
    insetInlineStart: `${at * 100}%`,
    width: `${width * 100}%`,
  });
  return (
    <>
      {pauses.map((pause) => (
        <span key={pause.at} className={classes.pause} style={place(pause)} />
      ))}
      {bands.map((band) => (
        <span key={band.at} className={classes.band} style={place(band)} />
      ))}
    </>
  );
}
