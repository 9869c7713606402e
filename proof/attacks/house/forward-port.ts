import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Leads a port that agents may call to a server of this machine. */
export async function forwardPort(port: number, { hostname, port: to }: URL, usualPort: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to || usualPort), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
