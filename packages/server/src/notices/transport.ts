import type { Socket } from "node:net";
import { WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { CredentialService } from "../credentials/index.ts";
import { toSignatureHeader } from "../webhooks/index.ts";
import type { NoticeChannelRow } from "./channel.store.ts";
import { type Message, toMail, toSlackBody, toWebhookBody } from "./message.ts";

/** What became of an attempt. `answer`: what the other end said, or why nothing could be sent. */
export type Sent = { ok: boolean; status: number | null; answer: string };

export type Destination = { kind: "mail" | "webhook" | "slack"; address: string; secret: string };

/** Where a channel leads, as it was sealed. */
export function readDestination(
  { id, kind, destination }: Pick<NoticeChannelRow, "id" | "kind" | "destination">,
  sealing: Pick<CredentialService["sealing"], "unseal">,
): Destination {
  const { address, secret } = JSON.parse(sealing.unseal(destination, id)) as Pick<Destination, "address" | "secret">;
  return { kind, address, secret };
}

export type MailServer = {
  host: string;
  port: number;
  /** TLS from the first byte, rather than by STARTTLS. */
  isSecure: boolean;
  user: string;
  password: { reveal(): string };
  from: string;
};

export type TransportDeps = Pick<Context, "clock" | "http"> & {
  /** Undefined: no mail server is configured. */
  mail: (MailServer & { connect: Context["http"]["connect"] }) | undefined;
  /** Hides known secrets. */
  conceal(text: string): string;
};

/** Sends a message to where a channel leads. Resolves with every failure but that of the signal. */
export type Transport = (message: Message, to: Destination, signal: AbortSignal) => Promise<Sent>;

const timeoutMs = 10_000;
/** Of greeting, encryption, log-in and all else that a mail takes. */
const mailTimeoutMs = 20_000;
const longestAnswerBytes = 1_024;

export function createTransport({ clock, http, mail, conceal }: TransportDeps): Transport {
  async function post(message: Message, { kind, address, secret }: Destination, signal: AbortSignal): Promise<Sent> {
    const body = kind === "slack" ? toSlackBody(message) : toWebhookBody(message);
    const timestamp = Math.floor(clock.now() / 1_000);
    const signed = kind === "webhook" && {
      "webhook-id": message.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": toSignatureHeader([secret], { id: message.id, timestamp, body }),
    };
    const headers = { "content-type": "application/json", ...signed };
    const { status, body: bytes } = await http.request({
      ...{ method: "POST", url: address, headers, body, timeoutMs, signal },
      ...{ maxRedirects: 0, maxBytes: longestAnswerBytes, onTooLarge: "truncate" },
    });
    const said = new TextDecoder().decode(bytes).trim();
    return { ok: status >= 200 && status <= 299, status, answer: said };
  }

  async function sendMail(message: Message, to: string, signal: AbortSignal): Promise<Sent> {
    if (mail === undefined)
      return { ok: false, status: null, answer: "No mail server is configured. Set SMTP_URL and MAIL_FROM." };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(mailTimeoutMs)]);
    let socket: Socket | undefined;
    try {
      socket = await mail.connect(mail.host, mail.port, limit);
      limit.addEventListener("abort", () => socket?.destroy(), { once: true });
      limit.throwIfAborted();
      return await mailOver(socket, { mail, message, to });
    } catch (cause) {
      if (signal.aborted || cause instanceof WeftError) throw cause;
      if (limit.aborted)
        return { ok: false, status: null, answer: `No answer within ${mailTimeoutMs / 1_000} seconds.` };
      return toMailFailure(cause);
    } finally {
      socket?.destroy();
    }
  }

  return async (message, to, signal) => {
    try {
      const sent = await (to.kind === "mail" ? sendMail(message, to.address, signal) : post(message, to, signal));
      return { ...sent, answer: tidy(conceal(sent.answer).replaceAll(to.address, "…")) };
    } catch (cause) {
      signal.throwIfAborted();
      if (!(cause instanceof WeftError)) throw cause;
      return { ok: false, status: null, answer: tidy(conceal(cause.message).replaceAll(to.address, "…")) };
    }
  };
}

type Mailing = { mail: MailServer; message: Message; to: string };

/** Over a connection that the egress client made: the library opens none. */
async function mailOver(socket: Socket, { mail, message, to }: Mailing): Promise<Sent> {
  const { createTransport: createMailer } = await import("nodemailer");
  const { host, port, isSecure, user, password, from } = mail;
  const mailer = createMailer({
    ...{ host, port, secure: isSecure, connection: socket, name: "weft" },
    ...(user !== "" && { auth: { user, pass: password.reveal() }, requireTLS: !isSecure && !isLocal(host) }),
    ...{ greetingTimeout: timeoutMs, socketTimeout: timeoutMs, maxResponseSize: 65_536 },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const { subject, text } = toMail(message);
  const domain =
    from
      .split("@")
      .at(-1)
      ?.replace(/[^\w.-]/g, "") || "weft";
  const { response } = await mailer.sendMail({
    ...{ from, to: { name: "", address: to }, subject, text },
    messageId: `<${message.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  });
  return { ok: true, status: Number(response.slice(0, 3)) || null, answer: response };
}

/** A password goes without TLS only to a server on this machine. */
function isLocal(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}

function toMailFailure(cause: unknown): Sent {
  const { code, response, responseCode, message } = cause as Partial<
    Record<"code" | "response" | "message", string>
  > & {
    responseCode?: number;
  };
  if (code === "ETIMEDOUT") return noAnswer(timeoutMs);
  return { ok: false, status: responseCode ?? null, answer: response ?? message ?? "The mail could not be sent." };
}

function noAnswer(ms: number): Sent {
  return { ok: false, status: null, answer: `No answer within ${ms / 1_000} seconds.` };
}

const longestAnswer = 500;

/** What another server said, in plain lines. */
function tidy(answer: string): string {
  const plain = answer.replace(/[^\P{Cc}\n]+|\p{Cf}+/gu, " ").trim();
  return plain.length > longestAnswer ? `${plain.slice(0, longestAnswer)}…` : plain;
}
