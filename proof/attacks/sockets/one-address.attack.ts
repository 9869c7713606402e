import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, pause, timed } from "../house/hold-answers.ts";

/** What the server keeps of one address by default (`MAX_CONNECTIONS_PER_ADDRESS`). */
const limit = 1_536;

export const attack = defineAttack({
  name: "one address opens two thousand connections",
  env: { HOST: "0.0.0.0" },
  async run(house) {
    const other = house.visitor();
    const from = ownAddress();
    const sockets = Array.from({ length: 2_000 }, () => open(house.platform.port, from ?? "127.0.0.1"));
    const ended = () => sockets.filter((socket) => socket.closed).length;
    let refused = 0;
    for (const socket of sockets) socket.once("data", (answer) => (refused += isRefusal(answer) ? 1 : 0));
    try {
      while (sockets.some((socket) => socket.connecting)) await pause(50);
      if (from === undefined) await pause(1_000);
      else await until(() => ended() >= sockets.length - limit);
      const { value, tookMs } = await timed(() => other.send("GET", "/api/v1/ping"));
      assert.equal(value.status, 200);
      assertQuick(tookMs, 1_000);
      const kept = sockets.length - ended();
      const answered = `another address was answered in ${tookMs.toFixed(0)} ms.`;
      if (from === undefined) {
        return `This machine has no address but its own loopback, which has no limit: ${kept} connections were kept, and ${answered}`;
      }
      // A connection that sends nothing for long is ended, too; without the limit none would be refused.
      assert.ok(refused > (sockets.length - limit) / 2, `${refused} connections of ${from} were refused.`);
      return `${refused} of 2000 connections from ${from} were refused with 429, ${kept} were kept, and ${answered}`;
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
});

/** An address of this machine that the server does not take for its own: connections from loopback are not counted. */
function ownAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

function isRefusal(answer: Buffer): boolean {
  return answer.toString("latin1").startsWith("HTTP/1.1 429");
}

function open(port: number, address: string): Socket {
  const socket = connect({ port, host: address, localAddress: address });
  socket.on("error", () => socket.destroy());
  return socket;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    assert.ok(performance.now() < deadline, "The server keeps more connections of one address than its limit.");
    await pause(50);
  }
}
