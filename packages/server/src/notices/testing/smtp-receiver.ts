import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export type ReceivedMail = { from: string; to: string[] /** Head and body, as sent. */; data: string };

/** What the server does with each connection. */
export type SmtpManner = "takes" | "hangs" | "refuses" | "floods";

/** A mail server on this machine, closed after the test. `manner` may be changed. */
export async function startSmtpReceiver(t: { after(fn: () => void): void }, manner: SmtpManner = "takes") {
  const state = { manner, mails: [] as ReceivedMail[], logins: [] as string[] };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    if (state.manner === "hangs") return;
    if (state.manner === "floods") return flood(socket);
    converse(socket, state);
  });
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return Object.assign(state, { port, url: `smtp://127.0.0.1:${port}` });
}

/** A greeting without an end. */
function flood(socket: Socket): void {
  const piece = Buffer.alloc(65_536, "2");
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

type State = { manner: SmtpManner; mails: ReceivedMail[]; logins: string[] };

function converse(socket: Socket, state: State): void {
  let mail: ReceivedMail = { from: "", to: [], data: "" };
  let isData = false;
  let rest = "";
  const say = (line: string) => socket.write(`${line}\r\n`);
  const answer = (line: string) => {
    const [verb = "", ...words] = line.split(" ");
    switch (verb.toUpperCase()) {
      case "EHLO":
        say("250-test");
        return say("250 AUTH PLAIN");
      case "AUTH":
        state.logins.push(Buffer.from(words.at(-1) ?? "", "base64").toString());
        return say("235 2.7.0 Welcome");
      case "MAIL":
        mail = { from: line, to: [], data: "" };
        return say("250 2.1.0 Ok");
      case "RCPT":
        if (state.manner === "refuses") return say("550 5.1.1 No such mailbox here");
        mail.to.push(line);
        return say("250 2.1.5 Ok");
      case "DATA":
        isData = true;
        return say("354 Go on");
      case "QUIT":
        say("221 Bye");
        return socket.end();
      default:
        return say("250 Ok");
    }
  };
  say("220 test ESMTP");
  socket.setEncoding("utf8").on("data", (piece: string) => {
    rest += piece;
    for (;;) {
      const end = rest.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const text = rest.slice(0, end);
      rest = rest.slice(end + (isData ? 5 : 2));
      if (!isData) {
        answer(text);
        continue;
      }
      isData = false;
      state.mails.push({ ...mail, data: text });
      say("250 2.0.0 Ok: queued as TEST1");
    }
  });
}
