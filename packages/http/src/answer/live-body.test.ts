import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { it, type TestContext } from "node:test";
import { createLiveBody, type LiveBody, sendLive } from "./live-body.ts";

type Sent = { body: LiveBody; socket: Socket; received(): string; reads(): number; overs(): number };

/** A body on its way to a client that sent a request with this version of HTTP. */
async function send(t: TestContext, { version = "1.1", first = "" } = {}): Promise<Sent> {
  let reads = 0;
  let overs = 0;
  const headers = { "content-type": "text/event-stream" };
  const body = createLiveBody({ headers, onRead: () => (reads += 1), onOver: () => (overs += 1) });
  body.write(first);
  const server = createServer((_, outgoing) => assert.ok(sendLive(body.response, outgoing)));
  t.after(() => closeAll(server));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece)).on("error", () => undefined);
  socket.write(`GET / HTTP/${version}\r\nhost: weft\r\n\r\n`);
  await once(server, "request");
  return {
    body,
    socket,
    received: () => Buffer.concat(pieces).toString(),
    reads: () => reads,
    overs: () => overs,
  };
}

function closeAll(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

it("sends what is written in one tick as one chunk, whatever its characters", async (t) => {
  const { body, received, overs } = await send(t, { first: "held " });
  await until(() => received().includes("held"));
  assert.match(received(), /^HTTP\/1\.1 200 .*\r\ncontent-type: text\/event-stream\r\n/is);
  body.write("é");
  body.write("🧶");
  await until(() => received().includes("🧶"));
  body.write("last");
  body.end();
  body.write("never");
  await until(() => received().endsWith("0\r\n\r\n"));
  assert.equal(bodyOf(received()), "5\r\nheld \r\n6\r\né🧶\r\n4\r\nlast\r\n0\r\n\r\n");
  assert.equal(overs(), 1);
});

it("sends the head at once where nothing is written yet", async (t) => {
  const { received } = await send(t);
  await until(() => received().includes("\r\n\r\n"));
  assert.match(received(), /^HTTP\/1\.1 200 /);
});

it("keeps a surrogate pair that comes in two pieces together", async (t) => {
  const { body, received } = await send(t);
  body.write("\ud83e");
  body.write("\uddf6");
  body.end();
  await until(() => received().endsWith("0\r\n\r\n"));
  assert.equal(bodyOf(received()), "4\r\n🧶\r\n0\r\n\r\n");
});

it("serves the next request on the same connection", async (t) => {
  const { body, received, socket } = await send(t);
  body.write("one");
  body.end();
  await until(() => received().endsWith("0\r\n\r\n"));
  socket.write("GET / HTTP/1.1\r\nhost: weft\r\n\r\n");
  await until(() => received().split("HTTP/1.1 200").length === 3);
});

it("sends to a client of HTTP/1.0, which knows no chunks, until the connection ends", async (t) => {
  const { body, received, socket } = await send(t, { version: "1.0" });
  body.write("one");
  await until(() => received().includes("one"));
  body.write("two");
  body.end();
  await once(socket, "close");
  assert.equal(bodyOf(received()), "onetwo");
});

it("breaks off so that the client can tell", async (t) => {
  const { body, received, socket, overs } = await send(t);
  body.write("one");
  await until(() => received().includes("one"));
  body.breakOff();
  await once(socket, "close");
  assert.ok(!received().endsWith("0\r\n\r\n"));
  assert.equal(overs(), 1);
});

it("knows what a client leaves unread, and forgets it when the client goes", async (t) => {
  const { body, socket, reads, overs } = await send(t);
  socket.pause();
  const megabyte = "x".repeat(1_024 ** 2);
  let written = 0;
  while (body.unreadBytes() < 8 * 1_024 ** 2) {
    body.write(megabyte);
    written += 1;
    await new Promise(setImmediate);
  }
  assert.ok(written < 50, `${written} MB`);
  socket.resume();
  await until(() => body.unreadBytes() === 0);
  assert.equal(reads(), written);
  socket.destroy();
  await until(() => overs() === 1);
});
