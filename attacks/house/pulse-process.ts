// Another process that pings the address it is given every 10 ms, whether or not earlier pings were answered (an open
// loop), and measures each from the moment in which it was due. Told "take", it sends what it saw since the last time.
import { Agent, get } from "node:http";

const [address = ""] = process.argv.slice(2);
const intervalMs = 10;
/** A ping that this process itself sent late tells nothing of the server. */
const maxLateMs = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

let pending = new Set<number>();
let times: number[] = [];
let late = 0;
let failed = 0;
let dueAt = performance.now();

process.on("message", () => {
  const now = performance.now();
  process.send?.({ times: [...times, ...[...pending].map((due) => now - due)], late, failed });
  pending = new Set();
  times = [];
  late = 0;
  failed = 0;
});
process.on("disconnect", () => process.exit());
setInterval(beat, 1);

function beat(): void {
  const now = performance.now();
  if (now < dueAt) return;
  if (now - dueAt > maxLateMs) late += 1;
  else ping(dueAt);
  dueAt = Math.max(dueAt + intervalMs, now);
}

function ping(due: number): void {
  pending.add(due);
  const end = (isAnswered: boolean) => {
    if (!pending.delete(due)) return;
    if (isAnswered) times.push(performance.now() - due);
    else failed += 1;
  };
  const sent = get(address, { agent, timeout: 10_000 }, (response) => {
    response.resume();
    response.on("end", () => end(response.statusCode === 200));
    response.on("error", () => end(false));
  });
  sent.on("timeout", () => sent.destroy());
  sent.on("error", () => end(false));
}
