// Starts Weft as several processes on this machine, on one PostgreSQL and, where it is named, one Redis:
//   ./weft cluster --api 2 --workers 4 --postgres postgres://… [--redis redis://…] [--port 3000] [--data ./data]
// Clients ask one port; each connection goes to the next `api` process that answers. Ctrl-C ends all of them in order.
// A process that ends by itself is started again. Everything else is read from the environment, as by `npm start`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const server = fileURLToPath(new URL("start.mjs", import.meta.url));
const restartAfterMs = 500;
/** How long a process may take to say whether it is ready. */
const answerMs = 5_000;
/** A process that takes longer to stop is killed; one that stops in order takes ten seconds at most. */
const endWithinMs = 20_000;

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "2" },
    workers: { type: "string", default: "2" },
    port: { type: "string", default: process.env.PORT ?? "3000" },
    postgres: { type: "string", default: process.env.DATABASE_URL ?? "" },
    redis: { type: "string", default: process.env.REDIS_URL ?? "" },
    data: { type: "string", default: process.env.DATA_DIR ?? "./data" },
  },
});
const [apis, workers, port] = [toCount(values.api), toCount(values.workers), toCount(values.port)];
if (values.postgres === "") stop("Name the database: --postgres postgres://USER:PASSWORD@HOST:5432/DATABASE.");

/** One that ends before it was ready is not started again. */
type Member = { role: "api" | "worker"; name: string; port: number; child: ChildProcess; wasReady: boolean };

let isEnding = false;
let door: Server | undefined;
const members: Member[] = [];
// Before any process starts, so that none of them stays when this one is told to end meanwhile.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());
const common = { DATABASE_URL: values.postgres, REDIS_URL: values.redis, DATA_DIR: values.data };
// The first one makes the keys that all share.
for (let index = 0; index < apis; index += 1) await startMember("api", index);
for (let index = 0; index < workers; index += 1) await startMember("worker", index);
const doors = members.filter(({ role }) => role === "api");
if (!isEnding) {
  door = await open(port);
  say(`http://127.0.0.1:${(door.address() as AddressInfo).port} · ${apis} api, ${workers} workers`);
}

async function startMember(role: Member["role"], index: number): Promise<void> {
  const place = { role, name: `${role} ${index + 1}`, port: await freePort() };
  if (isEnding) return;
  const member = { ...place, child: run(place), wasReady: false };
  members.push(member);
  await answering(member);
}

function run({ role, name, port }: Pick<Member, "role" | "name" | "port">): ChildProcess {
  const env = {
    ...process.env,
    ...common,
    ROLE: role,
    PORT: String(port),
    HOST: "127.0.0.1",
    EVENT_API: eventApi(name),
  };
  const flags = ["--max-semi-space-size=8", "--expose-gc"];
  const child = spawn(process.execPath, [...flags, server], { env, stdio: ["ignore", "inherit", "inherit"] });
  child.once("exit", (status, signal) => void restart(name, status ?? signal));
  return child;
}

/** One process serves the event API. */
function eventApi(name: string): string {
  return name === "api 1" ? (process.env.EVENT_API ?? "true") : "false";
}

async function restart(name: string, end: number | string | null): Promise<void> {
  const member = members.find((one) => one.name === name);
  if (isEnding || !member?.wasReady) return;
  say(`${name} ended (${end}) and is started again`);
  await sleep(restartAfterMs);
  if (!isEnding) member.child = run(member);
}

async function answering(member: Member): Promise<void> {
  const { port, name, child } = member;
  while (!isEnding && isRunning(child)) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(answerMs) }).then(
      ({ ok }) => ok,
      () => false,
    );
    member.wasReady = isReady;
    if (isReady) return;
    await sleep(50);
  }
  if (isEnding) return;
  process.stderr.write(`${name} did not start; what it wrote says why.\n`);
  await end(1);
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Passes connections on, in turns. One that does not take a connection is passed over. */
async function open(port: number) {
  let next = 0;
  const passOn = (client: Socket, left: number): void => {
    const member = doors[next++ % doors.length];
    if (member === undefined || left === 0) return void client.destroy();
    const upstream = connect(member.port, "127.0.0.1");
    upstream.setNoDelay(true);
    upstream.once("error", () => passOn(client, left - 1));
    upstream.once("connect", () => {
      upstream.removeAllListeners("error");
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        socket.on("error", () => other.destroy());
        socket.on("close", () => other.destroy());
        socket.pipe(other);
      }
    });
  };
  const door = createServer({ noDelay: true, pauseOnConnect: true }, (client) => passOn(client, doors.length));
  door.listen(port, process.env.HOST ?? "127.0.0.1");
  await once(door, "listening");
  return door;
}

/** No further connection, then those that serve, then those that work. */
async function end(status = 0): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  door?.close();
  for (const role of ["api", "worker"] as const) {
    await Promise.all(
      members
        .filter((member) => member.role === role)
        .map(async ({ child }) => {
          if (!isRunning(child)) return;
          const ended = once(child, "exit");
          child.kill("SIGTERM");
          const late = setTimeout(() => child.kill("SIGKILL"), endWithinMs);
          await ended;
          clearTimeout(late);
        }),
    );
  }
  process.exit(status);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

function toCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) stop(`"${text}" is not a whole number.`);
  return Number(text);
}

function say(line: string): void {
  process.stdout.write(`cluster: ${line}\n`);
}

function stop(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
