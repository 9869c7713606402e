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
let failed: string[] = [];
let dueAt = performance.now();

process.on("message", () => {
  const now = performance.now();
  process.send?.({ times: [...times, ...[...pending].map((due) => now - due)], late, failed });
  pending = new Set();
  times = [];
  late = 0;
  failed = [];
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
  send((failure) => {
    if (!pending.delete(due)) return;
    if (failure === undefined) times.push(performance.now() - due);
    else failed.push(failure);
  });
}

function send(end: (failure?: string) => void): void {
  const sent = get(address, { agent, timeout: 10_000 }, (response) => {
    response.resume();
    response.on("end", () => end(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
    response.on("error", (error) => end(error.message));
  });
  sent.on("timeout", () => sent.destroy(new Error("no answer in 10 s")));
  // The server may close a connection that it kept at the moment in which it is used again (RFC 9112, section 9.3.1).
  sent.on("error", (error: NodeJS.ErrnoException) =>
    sent.reusedSocket && error.code === "ECONNRESET" ? send(end) : end(error.message),
  );
}
