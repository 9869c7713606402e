import { loadavg } from "node:os";
import type { CDPSession, Page } from "playwright-core";
import { startBuilder } from "../e2e/builder/testing/open-builder.ts";

// `node proof/bench/builder.ts`: the canvas with 300 nodes, in Chromium, with the built page and the real server. Prints how
// long opening takes, the work of script and layout in a frame while a node is dragged, and the longest task of a drag.
// Beside the time on the clock stands that of the processor, which says
// what a machine without other work would take.

const nodeCount = 300;
const rows = 15;
const dragFrames = 240;
const frameMark = "weft-frame";
const types = ["agent", "llm", "http", "direct-reply"];
const workNames = new Set([
  "FunctionCall",
  "EventDispatch",
  "FireAnimationFrame",
  "UpdateLayoutTree",
  "Layout",
  "TimerFire",
]);

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };
type Span = { wallMs: number; cpuMs: number };

const world = await startBuilder();
try {
  const { id } = await world.platform.call<{ id: string }>("POST", "/chatflows", {
    name: "Large",
    flowData: largeFlow(),
  });
  const page = await world.open("/agents");
  await page.getByRole("link", { name: "Large" }).first().waitFor();
  const trace = await page.context().newCDPSession(page);
  // Who looks at a list for a moment has the code of what it leads to.
  await page.waitForLoadState("networkidle");
  const checked = page.waitForResponse((response) => response.url().endsWith("/api/v1/flows/read"));
  let openedMs = Number.NaN;
  const opening = await record(trace, async () => {
    openedMs = await open(page, id);
  });
  // Findings of a flow come a moment after it is open, and are drawn at each of its steps once.
  await (await checked).finished();
  await page.waitForLoadState("networkidle");
  report("opened", { wallMs: openedMs, cpuMs: sum(tasks(opening)).cpuMs }, 1_000);
  const events = await record(trace, () => drag(page));
  const frames = workPerFrame(events);
  report("drag frame, script and layout, p50", percentile(frames, 0.5), 10);
  report("drag frame, script and layout, p95", percentile(frames, 0.95), 10);
  report("drag, longest task", percentile(tasks(events), 1), 50);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await world.close();
}

function largeFlow(): string {
  const steps = Array.from({ length: nodeCount - 1 }, (_, index) => ({
    id: `n_${index}`,
    type: types[index % types.length],
    label: `Step ${index}`,
    position: { x: 344 + Math.floor(index / rows) * 344, y: (index % rows) * 120 },
  }));
  const edges = steps.map(({ id }, index) => ({
    id: `e${index}`,
    source: index < rows ? "start_0" : `n_${index - rows}`,
    target: id,
  }));
  return JSON.stringify({ weft: 1, nodes: [{ id: "start_0", type: "start" }, ...steps], edges });
}

/** From the click on the agent to the frame that shows all of its nodes. */
function open(page: Page, id: string): Promise<number> {
  return page.evaluate(
    ([path, count]) =>
      new Promise<number>((resolve) => {
        const begunAt = performance.now();
        const look = () => {
          if (document.querySelectorAll(".react-flow__node").length < Number(count)) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - begunAt));
        };
        document.querySelector<HTMLElement>(`a[href="${path}"]`)?.click();
        look();
      }),
    [`/agents/${id}`, nodeCount] as const,
  );
}

/** One move in every frame, all of it inside the page: the speed of the debugger's wire is not what is measured. */
async function drag(page: Page): Promise<void> {
  const box = await page.locator('.react-flow__node[data-id="n_140"]').boundingBox();
  if (!box) throw new Error("The node to be dragged is not there.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(
    ([startX, startY, count, mark]) =>
      new Promise<void>((resolve) => {
        let frame = 0;
        const move = () => {
          performance.mark(mark);
          const clientX = startX + 60 * Math.sin(frame / 10);
          const clientY = startY + 50 * Math.sin(frame / 14);
          window.dispatchEvent(
            new MouseEvent("mousemove", { clientX, clientY, buttons: 1, bubbles: true, view: window }),
          );
          frame += 1;
          if (frame < count) requestAnimationFrame(move);
          else resolve();
        };
        requestAnimationFrame(move);
      }),
    [x, y, dragFrames, frameMark] as const,
  );
  await page.mouse.up();
}

async function record(session: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown }) => events.push(...(value as TraceEvent[]));
  session.on("Tracing.dataCollected", collect);
  const includedCategories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"];
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await work();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", collect);
  return ofBusiestThread(events);
}

/** The main thread of the page: the one that runs its script. */
function ofBusiestThread(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  const calls = (thread: TraceEvent[]) => thread.filter(({ name }) => name === "FunctionCall").length;
  return [...threads.values()].toSorted((a, b) => calls(b) - calls(a))[0] ?? [];
}

/** Script and layout from each frame's callbacks to the next one's. What runs inside of another counts once. */
function workPerFrame(events: readonly TraceEvent[]): Span[] {
  const spans = events
    .filter(({ name, ph }) => ph === "X" && workNames.has(name))
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let end = 0;
  const outermost = spans.filter(({ ts, dur = 0 }) => {
    const isOutermost = ts >= end;
    if (isOutermost) end = ts + dur;
    return isOutermost;
  });
  const frames = events.flatMap(({ name, ts }) => (name === frameMark ? [ts] : [])).toSorted((a, b) => a - b);
  return frames.slice(0, -1).map((begin, index) => {
    const next = frames[index + 1] ?? begin;
    return sum(outermost.filter(({ ts, dur = 0 }) => ts + dur > begin && ts + dur <= next).map(toSpan));
  });
}

function tasks(events: readonly TraceEvent[]): Span[] {
  return events.filter(({ name }) => name === "RunTask").map(toSpan);
}

function toSpan({ dur = 0, tdur = 0 }: TraceEvent): Span {
  return { wallMs: dur / 1_000, cpuMs: tdur / 1_000 };
}

function sum(spans: readonly Span[]): Span {
  return spans.reduce((all, { wallMs, cpuMs }) => ({ wallMs: all.wallMs + wallMs, cpuMs: all.cpuMs + cpuMs }), {
    wallMs: 0,
    cpuMs: 0,
  });
}

/** Of each clock by itself. */
function percentile(spans: readonly Span[], share: number): Span {
  const at = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  };
  return { wallMs: at(spans.map(({ wallMs }) => wallMs)), cpuMs: at(spans.map(({ cpuMs }) => cpuMs)) };
}

function report(what: string, { wallMs, cpuMs }: Span, limitMs: number): void {
  const [wall, cpu] = [wallMs, cpuMs].map((ms) => `${ms.toFixed(1).padStart(8)} ms`);
  console.log(`${what.padEnd(40)} ${wall}, processor ${cpu}   (at most ${limitMs})`);
}
