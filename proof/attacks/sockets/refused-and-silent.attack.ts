import assert from "node:assert/strict";
import { connect } from "node:net";
import { defineAttack } from "../house/define-attack.ts";
import { pause } from "../house/hold-answers.ts";
import { openConnections } from "../house/open-connections.ts";

export const attack = defineAttack({
  name: "clients send nonsense and never close",
  async run(house) {
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect({
        port: house.platform.port,
        host: "127.0.0.1",
        localAddress: "127.7.7.8",
        allowHalfOpen: true,
      });
      socket.on("error", () => socket.destroy());
      socket.write("NONSENSE\r\n\r\n");
      socket.resume();
      return socket;
    });
    const deadline = performance.now() + 20_000;
    const remaining = () => openConnections(house.platform.port, "127.7.7.8");
    await pause(300);
    while (remaining() > 0 && performance.now() < deadline) await pause(100);
    const open = remaining();
    for (const socket of sockets) socket.destroy();
    assert.equal(open, 0, `The server keeps ${open} of 100 sockets.`);
    return "The server let go of a hundred sockets that their clients had not closed.";
  },
});
