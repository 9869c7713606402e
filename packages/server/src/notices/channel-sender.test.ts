import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type TestContext, test } from "node:test";
import { createIdSource } from "@weft/database";
import { createEgressClient } from "@weft/egress";
import { createLogger } from "@weft/http/logger";
import { type QuietHours, toMoment } from "@weft/schema";
import { forEachDatabase, onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { isSigned } from "../webhooks/index.ts";
import { enqueue } from "./channel.store.ts";
import { createChannelSender } from "./channel-sender.ts";
import { insertNotice, type NoticeRow } from "./notice.store.ts";
import { rowsOf } from "./testing/notice-rows.ts";
import { startSmtpReceiver } from "./testing/smtp-receiver.ts";
import { createTransport } from "./transport.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const signal = new AbortController().signal;
const secret = "a signing secret that is long enough";

type Received = { headers: Record<string, unknown>; body: string };

/** Answers with each of the statuses in turn, then with 200. */
async function startHttp(t: TestContext, answer?: RequestListener) {
  const state = { received: [] as Received[], statuses: [] as number[] };
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    state.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    if (answer !== undefined) return answer(request, response);
    response.writeHead(state.statuses.shift() ?? 200).end("said by the other end");
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return Object.assign(state, { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/hook/T0/s3cret` });
}

/** Two processes that send, to what is on this machine, and a clock that the test moves. */
async function setUp(
  t: TestContext,
  databases: TestDatabases,
  { allow = [], port = 1 }: { allow?: string[]; port?: number } = {},
) {
  const database = await databases.openTestDatabase(t as never);
  const at = { now: Date.parse("2026-03-01T12:00:00.000Z") };
  const clock = { now: () => at.now } as Parameters<typeof createTransport>[0]["clock"];
  const http = createEgressClient({ allow });
  const mailHttp = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  t.after(() => Promise.all([http.close(), mailHttp.close()]));
  const mail = {
    ...{ host: "127.0.0.1", port, isSecure: false, user: "weft", password: { reveal: () => "pässword" } },
    ...{ from: "weft@example.com", connect: mailHttp.connect },
  };
  const transport = createTransport({ clock, http, mail, conceal: (text) => text });
  const open = () =>
    createChannelSender({
      ...{ database, clock, transport, publicUrl: "https://weft.example.com/", ids: createIdSource(clock.now) },
      logger: createLogger({ level: "silent", write: () => undefined, now: clock.now }),
      sealing: { unseal: (sealed) => sealed },
    });
  const [sender, other] = [open(), open()];
  const add = rowsOf(database);
  return {
    at,
    transport,
    async channel(kind: "mail" | "webhook" | "slack", address: string, more: { quietHours?: QuietHours } = {}) {
      const destination = JSON.stringify({ address, secret: kind === "webhook" ? secret : "" });
      const quietHours = more.quietHours === undefined ? null : JSON.stringify(more.quietHours);
      return add.channel({ kind, destination, quietHours });
    },
    /** Makes a notice about an agent of that name. */
    async notice(name = "Support") {
      const id = randomUUID();
      const since = toMoment(at.now);
      const notice: NoticeRow = {
        ...{ id, kind: "failed-runs", thing: id, period: "", subjectId: "a1", agentId: "a1", name, count: 5, total: 6 },
        ...{ detail: "", since, resolvedDate: null, updatedDate: since },
      };
      await database.write(async (tx) => {
        await insertNotice(tx, notice);
        await enqueue(tx, notice);
      });
      return id;
    },
    resolve: (id: string) =>
      database.write((tx) =>
        tx
          .updateTable("notices")
          .set({ resolvedDate: toMoment(at.now), period: id })
          .where("id", "=", id)
          .execute(),
      ),
    /** Both send what is due, some time later. */
    async later(ms: number) {
      at.now += ms;
      await Promise.all([sender.round(signal), other.round(signal)]);
    },
    async channels() {
      return database.read.selectFrom("noticeChannels").selectAll().execute();
    },
  };
}

await forEachDatabase((databases) => {
  test("two processes send one mail, which says what happened and where to look", async (t) => {
    const smtp = await startSmtpReceiver(t);
    const { channel, notice, later, channels } = await setUp(t, databases, smtp);
    await channel("mail", "ops@example.com");
    await notice();
    for (let round = 0; round < 5; round += 1) await later(5_000);
    assert.equal(smtp.mails.length, 1);
    const [mail] = smtp.mails;
    assert.deepEqual(mail?.to, ["RCPT TO:<ops@example.com>"]);
    assert.match(mail?.from ?? "", /^MAIL FROM:<weft@example\.com>/);
    assert.match(mail?.data ?? "", /Auto-Submitted: auto-generated/);
    const text = decodeBody(mail?.data ?? "");
    assert.match(
      text,
      /“Support”: 5 of 6 runs failed in the last hour\.\nhttps:\/\/weft\.example\.com\/executions\?agentId=a1&state=ERROR/,
    );
    assert.deepEqual(smtp.logins, ["\0weft\0pässword"]);
    const [sent] = await channels();
    assert.deepEqual([sent?.message, sent?.error, sent?.sentDate !== null], [null, null, true]);
  });

  test("what comes within a minute is joined in the next message", async (t) => {
    const http = await startHttp(t);
    const { channel, notice, later, resolve } = await setUp(t, databases, { allow: [http.host] });
    await channel("slack", http.url);
    await notice("One");
    await later(0);
    await notice("Two");
    await later(20_000);
    const three = await notice("Three");
    await later(20_000);
    assert.equal(http.received.length, 1);
    await resolve(three);
    await later(20_000);
    assert.equal(http.received.length, 2);
    const { text } = JSON.parse(http.received[1]?.body ?? "{}") as { text: string };
    assert.match(text, /“Two”: [^\n]+\.\nhttps/);
    assert.match(text, /“Three”: [^\n]+ \(resolved since\)\n/);
    assert.doesNotMatch(text, /One/);
  });

  test("a webhook that answers 500 for an hour gets the same message again, with growing pauses and its signature", async (t) => {
    const http = await startHttp(t);
    http.statuses.push(500, 500, 500, 500, 500);
    const { channel, notice, later, channels } = await setUp(t, databases, { allow: [http.host] });
    await channel("webhook", http.url);
    await notice();
    const tries: number[] = [];
    for (let minute = 0; minute < 240; minute += 1) {
      await later(minuteMs);
      tries.push(http.received.length);
      if (minute === 1) assert.equal((await channels())[0]?.error, "500 said by the other end");
    }
    assert.equal(http.received.length, 6);
    const firstAt = [1, 2, 3, 4, 5, 6].map((count) => tries.findIndex((tried) => tried >= count));
    const pauses = firstAt.slice(1).map((minute, index) => minute - (firstAt[index] ?? 0));
    assert.ok(
      pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 1)),
      String(pauses),
    );
    const [first, ...others] = http.received;
    for (const { headers, body } of http.received) {
      const message = { id: String(headers["webhook-id"]), timestamp: Number(headers["webhook-timestamp"]), body };
      assert.ok(isSigned(String(headers["webhook-signature"]), [secret], message));
    }
    assert.ok(
      others.every(
        ({ headers, body }) => body === first?.body && headers["webhook-id"] === first?.headers["webhook-id"],
      ),
    );
    const { type, data } = JSON.parse(first?.body ?? "{}") as { type: string; data: { notices: { kind: string }[] } };
    assert.deepEqual([type, data.notices.map(({ kind }) => kind)], ["notices", ["failed-runs"]]);
    assert.deepEqual([(await channels())[0]?.error, (await channels())[0]?.message], [null, null]);
  });

  test("after a day a message is given up, and the next notice is tried again", async (t) => {
    const http = await startHttp(t);
    http.statuses.push(...Array.from({ length: 10 }, () => 503));
    const { channel, notice, later, channels } = await setUp(t, databases, { allow: [http.host] });
    await channel("slack", http.url);
    await notice();
    for (let part = 0; part < 120; part += 1) await later(15 * minuteMs);
    const [given] = await channels();
    assert.equal(http.received.length, 10);
    assert.deepEqual(
      [given?.message, given?.givenUpDate !== null, given?.error],
      [null, true, "503 said by the other end"],
    );
    await notice();
    await later(minuteMs);
    assert.deepEqual([http.received.length, (await channels())[0]?.givenUpDate], [11, null]);
  });
});

await onTestDatabase((databases) => {
  test("quiet hours over midnight keep notices until they are over, then they come together", async (t) => {
    const http = await startHttp(t);
    const { channel, notice, later } = await setUp(t, databases, { allow: [http.host] });
    // It is 13:00 in Berlin, in winter.
    await channel("slack", http.url, { quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" } });
    await notice("Day");
    await later(0);
    assert.equal(http.received.length, 1);
    await later(9 * hourMs);
    await notice("Evening");
    await later(4 * hourMs);
    await notice("Night");
    await later(5 * hourMs - minuteMs);
    assert.equal(http.received.length, 1, "06:59");
    await later(minuteMs);
    assert.equal(http.received.length, 2, "07:00");
    assert.match(http.received[1]?.body ?? "", /Evening.*Night/);
  });

  test("a server that redirects to a private address, or is at one, is refused and told as it is", async (t) => {
    const inner = await startHttp(t);
    const outer = await startHttp(t, (_, response) => void response.writeHead(302, { location: inner.url }).end());
    const { transport } = await setUp(t, databases, { allow: [outer.host] });
    const message = { id: "m", createdDate: toMoment(0), notices: [], more: 0 };
    const redirected = await transport(message, { kind: "slack", address: outer.url, secret: "" }, signal);
    assert.deepEqual([redirected.ok, redirected.status], [false, 302]);
    const refused = await transport(message, { kind: "slack", address: inner.url, secret: "" }, signal);
    assert.deepEqual([refused.ok, refused.status], [false, null]);
    assert.match(refused.answer, /is not allowed: its address is a loopback address/);
    assert.doesNotMatch(refused.answer, /s3cret/);
    assert.equal(inner.received.length, 0);
  });

  test("a gigabyte of an answer is not read, and what is read of it is cut", async (t) => {
    let written = 0;
    const big = await startHttp(t, (_, response) => {
      const piece = Buffer.alloc(65_536, "a");
      const more = () => {
        while (written < 2 ** 30 && !response.destroyed && response.write(piece)) written += piece.length;
      };
      response.on("drain", more);
      more();
    });
    const { transport } = await setUp(t, databases, { allow: [big.host] });
    const message = { id: "m", createdDate: toMoment(0), notices: [], more: 0 };
    const sent = await transport(message, { kind: "slack", address: big.url, secret: "" }, signal);
    assert.deepEqual([sent.ok, sent.answer.length], [true, 501]);
    assert.ok(written < 2 ** 26, String(written));
  });

  test("servers that hang, flood or refuse hold nobody up", async (t) => {
    const hanging = await startHttp(t, () => undefined);
    const smtp = await startSmtpReceiver(t, "hangs");
    const { transport } = await setUp(t, databases, { allow: [hanging.host], port: smtp.port });
    const message = { id: "m", createdDate: toMoment(0), notices: [], more: 0 };
    const mailTo = { kind: "mail", address: "ops@example.com", secret: "" } as const;
    const [slack, hung] = await Promise.all([
      transport(message, { kind: "slack", address: hanging.url, secret: "" }, signal),
      transport(message, mailTo, signal),
    ]);
    assert.match(slack.answer, /10,?000 ms|10 s/);
    assert.deepEqual([slack.ok, hung.ok, hung.status], [false, false, null]);
    assert.match(hung.answer, /No answer within 10 seconds/);
    smtp.manner = "floods";
    assert.equal((await transport(message, mailTo, signal)).ok, false);
    smtp.manner = "refuses";
    assert.deepEqual(await transport(message, mailTo, signal), {
      ok: false,
      status: 550,
      answer: "550 5.1.1 No such mailbox here",
    });
    smtp.manner = "takes";
    assert.deepEqual(await transport(message, mailTo, signal), {
      ok: true,
      status: 250,
      answer: "250 2.0.0 Ok: queued as TEST1",
    });
  });

  test("a name is plain text in the head of a mail and in Slack", async (t) => {
    const http = await startHttp(t);
    const smtp = await startSmtpReceiver(t);
    const { channel, notice, later } = await setUp(t, databases, { allow: [http.host], port: smtp.port });
    await channel("mail", "ops@example.com");
    await channel("slack", http.url);
    await notice(
      "A\r\nBcc: all@example.com\r\n\r\n<!channel> <https://evil.example|Click> @here *b* [a](https://b.example)\u202e",
    );
    await later(0);
    const [mail] = smtp.mails;
    assert.deepEqual(mail?.to, ["RCPT TO:<ops@example.com>"]);
    const head = (mail?.data ?? "").split("\r\n\r\n")[0] ?? "";
    assert.doesNotMatch(head, /^Bcc:/im);
    assert.match(decodeBody(mail?.data ?? ""), /“A Bcc: all@example\.com <!channel> <https:[^\n]*”: 5 of 6/);
    const { text } = JSON.parse(http.received[0]?.body ?? "{}") as { text: string };
    assert.doesNotMatch(text.split("\n")[0] ?? "", /<|>|@here|\]\(|:\/\/|\*b\*/);
    assert.match(text, /&lt;!channel&gt; &lt;https:/);
  });
});

/** The text of a mail that has one part. */
function decodeBody(data: string): string {
  const [head = "", ...body] = data.split("\r\n\r\n");
  const text = body.join("\r\n\r\n");
  if (/quoted-printable/i.test(head)) {
    const joined = text
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(joined, "latin1").toString().replaceAll("\r\n", "\n");
  }
  const isBase64 = /base64/i.test(head);
  return Buffer.from(text, isBase64 ? "base64" : "utf8")
    .toString()
    .replaceAll("\r\n", "\n");
}
