import assert from "node:assert/strict";
import { connect } from "node:net";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a request with two lengths hides a second request",
  async run(house) {
    const bodies = [
      "POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 60\r\n\r\nGET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nX: a\rGET /api/v1/version HTTP/1.1\r\n\r\n",
    ];
    for (const text of bodies) {
      const answer = await sendRaw(house.platform.port, text);
      assert.ok(!/"version"/.test(answer), `The hidden request was answered: ${answer.slice(0, 200)}`);
      assert.match(answer, /^HTTP\/1\.1 4\d\d/);
    }
    return `${bodies.length} such requests were refused as malformed.`;
  },
});

async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(text);
  const chunks: Buffer[] = [];
  const end = setTimeout(() => socket.destroy(), 3_000);
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  clearTimeout(end);
  return Buffer.concat(chunks).toString();
}
