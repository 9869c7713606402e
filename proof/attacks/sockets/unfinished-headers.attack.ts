import assert from "node:assert/strict";
import { connect } from "node:net";
import { defineAttack } from "../house/define-attack.ts";
import { pause, timed } from "../house/hold-answers.ts";
import { openConnections } from "../house/open-connections.ts";

const address = "127.7.7.7";

export const attack = defineAttack({
  name: "four hundred connections whose headers never end",
  async run(house) {
    const sockets = openSockets(house.platform.port, 400, "GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nX-A: ");
    await pause(500);
    const { value, tookMs } = await timed(() => house.visitor().send("GET", "/api/v1/ping"));
    assert.equal(value.status, 200);
    const deadline = performance.now() + 40_000;
    const remaining = () => openConnections(house.platform.port, address);
    while (remaining() > 0 && performance.now() < deadline) await pause(100);
    const open = remaining();
    for (const socket of sockets) socket.destroy();
    assert.equal(open, 0, `${open} connections are still open.`);
    return `All were released, and meanwhile a request was answered in ${tookMs.toFixed(0)} ms.`;
  },
});

/** Clients that send a beginning and neither close nor read what is said to them. */
function openSockets(port: number, count: number, beginning: string) {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: address, allowHalfOpen: true });
    socket.on("error", () => socket.destroy());
    socket.write(beginning);
    socket.resume();
    return socket;
  });
}
