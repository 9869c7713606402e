// Servers that are none, in a thread of their own: what they send must not depend on the loop that is looked at.
import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** What is done with a connection: at its beginning (`greeting`), then in answer to what arrives, the last one for all that follows. */
export type HostileServer = { name: string; engine: "postgres" | "mysql"; greeting?: Act; answers: Act[] };
type Act =
  | Uint8Array
  | ((data: Buffer) => Uint8Array)
  | "close"
  | "silence"
  | { flood: Uint8Array }
  | { drip: Uint8Array };

const bytes = (...parts: (number | string | Uint8Array)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part as string))),
  ) as Uint8Array;
const int32 = (number: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(number | 0);
  return buffer;
};
const int16 = (number: number) => Buffer.of((number >> 8) & 255, number & 255);
const zeros = (count: number) => Buffer.alloc(count);

/** A message of PostgreSQL; `length` in place of the true one. */
const pg = (type: string, body: Uint8Array, length = body.length + 4) => bytes(type, int32(length), body);
const authOk = pg("R", int32(0));
const ready = pg("Z", bytes("I"));
const key = pg("K", bytes(int32(1), int32(2)));
const open = bytes(authOk, key, ready);
const done = bytes(pg("C", bytes("BEGIN\0")), ready);
const column = (name: string, oid: number) =>
  bytes(name, 0, int32(0), int16(0), int32(oid), int16(4), int32(-1), int16(0));
const rowOf = (...values: string[]) =>
  pg("D", bytes(int16(values.length), ...values.map((value) => bytes(int32(value.length), value))));
const columns = (...oids: number[]) => pg("T", bytes(int16(oids.length), ...oids.map((oid) => column("a", oid))));
const failure = (...fields: (string | Uint8Array)[]) => pg("E", bytes(...fields, 0));

/** A first answer of SCRAM that continues the client's own number. */
const rounds = (data: Buffer) =>
  pg("R", bytes(int32(11), `r=${/r=([^,\0]+)/.exec(data.toString("latin1"))?.[1]}x,s=AAAA,i=2000000000`));

const postgres: [string, Act[]][] = [
  ["ten bytes of a row description", [bytes(0x54, 0, 1, 2, 3, 4, 5), "silence"]],
  ["ten bytes that end the reader", [Buffer.from("54000000000102030405", "hex")]],
  ["an error of length five", [Buffer.from("450000000578", "hex")]],
  ["garbage", [randomBytes(4_096)]],
  ["garbage without end", [{ flood: randomBytes(65_536) }]],
  ["zeros without end", [{ flood: zeros(65_536) }]],
  ["a web server", [bytes("HTTP/1.1 400 Bad Request\r\n\r\n")]],
  ["closes at once", ["close"]],
  ["says nothing", ["silence"]],
  ["half a message", [bytes("R", 0, 0)]],
  ["drips one byte at a time", [{ drip: open }]],
  ["a length of zero", [pg("R", zeros(4), 0)]],
  ["a negative length", [pg("R", zeros(4), -1)]],
  ["a length of two gigabytes", [pg("R", zeros(4), 0x7fffffff)]],
  ["an unknown authentication", [pg("R", int32(99))]],
  ["asks for Kerberos", [pg("R", int32(2))]],
  ["asks for the password for ever", [pg("R", int32(3))]],
  ["asks for MD5 without a salt", [pg("R", int32(5))]],
  ["SCRAM without methods", [pg("R", bytes(int32(10), 0))]],
  ["SCRAM out of order", [pg("R", bytes(int32(12), "v=x"))]],
  ["SCRAM of two billion rounds", [pg("R", bytes(int32(10), "SCRAM-SHA-256\0\0")), rounds, "silence"]],
  ["a flood of authentications", [{ flood: authOk }]],
  ["notices without end", [{ flood: pg("N", bytes("Mhello\0\0")) }]],
  ["parameters without end", [{ flood: pg("S", bytes("a\0b\0")) }]],
  ["a notice without an end of its text", [pg("N", bytes("Mhello"))]],
  ["an error without fields", [pg("E", zeros(1))]],
  ["an error with odd fields", [failure("C\0", "M\0", "x", bytes(0xff, 0xfe, 0))]],
  ["an error of a megabyte", [failure("CXX000\0M", zeros(0), "x".repeat(1_000_000), "\0")]],
  ["closes after the login", [open, "close"]],
  ["silent after the login", [open, "silence"]],
  ["ready without end", [{ flood: ready }]],
  ["rows that nobody asked for", [open, bytes(rowOf("x"), ready)]],
  ["a row before its columns", [open, done, done, done, bytes(rowOf("x"), done)]],
  ["rows without end", [open, done, done, done, { flood: bytes(columns(25), rowOf("x".repeat(10_000))) }]],
  ["small rows without end", [open, { flood: bytes(columns(23), rowOf("1")) }]],
  ["more columns than bytes", [open, pg("T", int16(30_000))]],
  ["more values than columns", [open, bytes(columns(25), rowOf("a", "b", "c"), done)]],
  ["a value of a negative length", [open, bytes(columns(25), pg("D", bytes(int16(1), int32(-7))), done)]],
  ["a value longer than its message", [open, bytes(columns(25), pg("D", bytes(int16(1), int32(1_000_000))), done)]],
  ["wrong types", [open, bytes(columns(1007, 114, 1184), rowOf("{{{", "{", "now"), done)]],
  ["an array of open brackets", [open, bytes(columns(1007), rowOf("{".repeat(500_000)), done)]],
  ["a copy in", [open, pg("G", bytes(0, int16(0)))]],
  ["a copy out without end", [open, { flood: bytes(pg("H", bytes(0, int16(0))), pg("d", zeros(1_000))) }]],
  ["notifications without end", [open, { flood: pg("A", bytes(int32(1), "a\0b\0")) }]],
  ["an unknown message", [open, pg("?", zeros(10))]],
  ["commands that nobody asked for", [open, bytes(done, done, done, done)]],
];

/** A packet of MySQL; `length` in place of the true one. */
const my = (sequence: number, body: Uint8Array, length = body.length) =>
  bytes(length & 255, (length >> 8) & 255, (length >> 16) & 255, sequence, body);
const handshake = (plugin = "mysql_native_password", capabilities = 0xffff_f7ff) =>
  bytes(
    10,
    "8.0.0\0",
    1,
    0,
    0,
    0,
    "12345678",
    0,
    capabilities & 255,
    (capabilities >> 8) & 255,
    45,
    2,
    0,
    (capabilities >> 16) & 255,
    (capabilities >>> 24) & 255,
    21,
    zeros(10),
    "123456789012",
    0,
    plugin,
    0,
  );
const greeting = my(0, handshake());
const ok = (sequence: number) => my(sequence, bytes(0, 0, 0, 2, 0, 0, 0));
const loggedIn = ok(2);
const text = (value: string) => bytes(value.length, value);
const definition = (sequence: number, type = 253) =>
  my(
    sequence,
    bytes(
      text("def"),
      text(""),
      text(""),
      text(""),
      text("a"),
      text("a"),
      12,
      45,
      0,
      255,
      0,
      0,
      0,
      type,
      0,
      0,
      0,
      0,
      0,
    ),
  );
const eof = (sequence: number) => my(sequence, bytes(0xfe, 0, 0, 2, 0));
const error = (sequence: number, code: number, words: string | Uint8Array) =>
  my(sequence, bytes(0xff, code & 255, code >> 8, "#HY000", words));

const mysql: [string, Act, Act[]][] = [
  ["ten bytes", Buffer.from("54000000000102030405", "hex"), []],
  ["garbage", randomBytes(4_096), []],
  ["garbage without end", { flood: randomBytes(65_536) }, []],
  ["zeros without end", { flood: zeros(65_536) }, []],
  ["a web server", bytes("HTTP/1.1 400 Bad Request\r\n\r\n"), []],
  ["closes at once", "close", []],
  ["says nothing", "silence", []],
  ["half a greeting", greeting.subarray(0, 9), []],
  ["a greeting that is dripped", { drip: greeting }, []],
  ["an empty greeting", my(0, zeros(0)), []],
  ["empty packets without end", { flood: my(0, zeros(0)) }, []],
  ["a greeting of 16 megabytes that does not come", my(0, zeros(10), 0xffffff), []],
  ["packets that go on for ever", { flood: my(0, zeros(65_536), 0xffffff) }, []],
  ["a greeting of another protocol", my(0, bytes(9, "old\0")), []],
  ["a greeting cut short", my(0, handshake().subarray(0, 12)), []],
  ["a greeting out of order", my(77, handshake()), []],
  ["greetings without end", { flood: greeting }, []],
  ["refuses before it greets", error(0, 1040, "Too many connections"), []],
  ["an error without words", my(0, bytes(0xff)), []],
  ["no abilities", my(0, handshake("x", 0)), []],
  ["an unknown authentication", my(0, handshake("weft_nonsense")), [my(2, bytes(0xfe, "weft_nonsense\0", "x"))]],
  [
    "changes the authentication for ever",
    greeting,
    [my(2, bytes(0xfe, "mysql_native_password\0", "12345678901234567890\0"))],
  ],
  ["asks for the old password", greeting, [my(2, bytes(0xfe))]],
  ["asks for the password in clear", greeting, [my(2, bytes(0xfe, "mysql_clear_password\0"))]],
  [
    "a public key that is none",
    my(0, handshake("caching_sha2_password")),
    [my(2, bytes(1, 4)), my(4, bytes(1, "not a key"))],
  ],
  ["more data than the login has", greeting, [my(2, bytes(1, 3)), my(3, bytes(1, 9))]],
  ["closes after the greeting", greeting, ["close"]],
  ["silent after the greeting", greeting, ["silence"]],
  ["closes after the login", greeting, [loggedIn, "close"]],
  ["silent after the login", greeting, [loggedIn, "silence"]],
  ["logins without end", greeting, [{ flood: loggedIn }]],
  ["an error with odd fields", greeting, [error(2, 0xffff, bytes(0xff, 0, 0xfe))]],
  ["an error of a megabyte", greeting, [error(2, 1064, "x".repeat(1_000_000))]],
  ["asks for a file", greeting, [loggedIn, my(1, bytes(0xfb, "/etc/passwd"))]],
  ["more columns than there are", greeting, [loggedIn, my(1, bytes(0xfd, 255, 255, 255))]],
  ["a number of columns of eight bytes", greeting, [loggedIn, my(1, bytes(0xfe, zeros(7), 255, 255))]],
  ["columns without end", greeting, [loggedIn, { flood: bytes(my(1, bytes(0xfd, 255, 255, 255)), definition(2)) }]],
  ["a column cut short", greeting, [loggedIn, bytes(my(1, bytes(1)), my(2, bytes(3, "d")), eof(3))]],
  [
    "a text longer than its packet",
    greeting,
    [loggedIn, bytes(my(1, bytes(1)), definition(2), eof(3), my(4, bytes(0xfd, 255, 255, 255, "x")), eof(5))],
  ],
  [
    "rows without end",
    greeting,
    [
      loggedIn,
      {
        flood: bytes(
          my(1, bytes(1)),
          definition(2),
          eof(3),
          ...Array.from({ length: 50 }, () => my(4, bytes(0xfc, 16, 39, "x".repeat(10_000)))),
        ),
      },
    ],
  ],
  ["results without end", greeting, [loggedIn, { flood: my(1, bytes(0, 0, 0, 10, 0, 0, 0)) }]],
  [
    "a type that does not exist",
    greeting,
    [ok(2), ok(1), ok(1), bytes(my(1, bytes(1)), definition(2, 99), eof(3), my(4, bytes(1, "x")), eof(5))],
  ],
  [
    "a prepared statement cut short",
    greeting,
    [
      ok(2),
      ok(1),
      ok(1),
      bytes(my(1, bytes(1)), definition(2), eof(3), my(4, text("8.0.0")), eof(5)),
      ok(1),
      ok(1),
      ok(1),
      my(1, bytes(0, 1)),
    ],
  ],
  [
    "a prepared statement of 65,535 values",
    greeting,
    [
      ok(2),
      ok(1),
      ok(1),
      bytes(my(1, bytes(1)), definition(2), eof(3), my(4, text("8.0.0")), eof(5)),
      ok(1),
      ok(1),
      ok(1),
      my(1, bytes(0, 1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0)),
    ],
  ],
];

export const hostileServers: HostileServer[] = [
  ...postgres.map(([name, answers]) => ({ name, engine: "postgres" as const, answers })),
  ...mysql.map(([name, first, answers]) => ({ name, engine: "mysql" as const, greeting: first, answers })),
];

if (workerData === "serve hostile servers") await serve();

async function serve(): Promise<void> {
  const ports: number[] = [];
  for (const hostile of hostileServers) {
    const server = createServer((socket) => playHostile(socket, hostile));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  parentPort?.postMessage(ports);
}

/** Answers a connection as the hostile server does. */
export function playHostile(socket: Socket, { greeting: first, answers }: HostileServer): void {
  let turn = 0;
  socket.on("error", () => undefined);
  if (first !== undefined) act(socket, first);
  socket.on("data", (data: Buffer) => {
    const next = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    if (typeof next === "function") act(socket, next(data));
    else if (next !== undefined) act(socket, next);
  });
}

function act(socket: Socket, what: Act): void {
  if (what === "close") socket.destroy();
  else if (what === "silence") return;
  else if (what instanceof Uint8Array) socket.write(what);
  else if (typeof what === "function") return;
  else if ("drip" in what) {
    let sent = 0;
    const timer = setInterval(() => socket.write(what.drip.subarray(sent, ++sent)), 200);
    socket.on("close", () => clearInterval(timer));
  } else {
    const flood = () => {
      let isOpen = !socket.destroyed;
      for (let count = 0; isOpen && count < 100; count += 1) isOpen = socket.write(what.flood);
      if (isOpen) setImmediate(flood);
    };
    if (socket.listenerCount("drain") === 0) socket.on("drain", flood);
    flood();
  }
}
