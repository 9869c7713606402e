import { hash } from "node:crypto";
import { type QuietHours, toMoment } from "@weft/schema";
import type { Context } from "../context.ts";
import type { CredentialService } from "../credentials/index.ts";
import type { NoticeChannelRow } from "./channel.store.ts";
import * as store from "./channel.store.ts";
import { type Message, toMessage } from "./message.ts";
import { isQuiet } from "./quiet-hours.ts";
import { readDestination, type Sent, type Transport } from "./transport.ts";

export type ChannelSenderDeps = Pick<Context, "database" | "clock" | "ids" | "logger"> & {
  sealing: Pick<CredentialService["sealing"], "unseal">;
  transport: Transport;
  publicUrl: string;
};

/**
 * Sends notices.
 * - S1 A channel has one message on its way, made in one commit of all that is queued; what comes meanwhile is joined in
 *   the next one, a minute after it at the earliest.
 * - S2 An attempt is counted in the database before it is made, so that no two processes make it. A channel may hear the
 *   same twice when a process ends between sending and noting it: the message's id is the same.
 * - S3 During quiet hours nothing is sent, nor tried again.
 * - S4 After a day of attempts the message is given up; the channel says so until something can be sent.
 */
export type ChannelSender = {
  /** Sends what is due. */
  round(signal: AbortSignal): Promise<void>;
};

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const leastGapMs = minuteMs;
/** Before each attempt but the first: 24 hours in total. */
const pausesMs = [
  ...[minuteMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, hourMs],
  ...[2 * hourMs, 4 * hourMs, 6 * hourMs, 10 * hourMs + 17 * minuteMs],
];
/** Of a pause, so that channels that failed together are not tried again together. */
const jitter = 0.1;
/** An attempt without a report for this long was made by a process that is gone. */
const leaseMs = 40 * secondMs;
/** Notices of one message; it tells the first of them. */
const mostAtOnce = 1_000;
const isolation = { isolation: "read-committed" } as const;

export function createChannelSender(deps: ChannelSenderDeps): ChannelSender {
  const { database, clock, ids, logger, transport, publicUrl, sealing } = deps;
  const later = (ms: number) => toMoment(clock.now() + ms);

  async function makeMessage(channel: NoticeChannelRow): Promise<NoticeChannelRow | undefined> {
    const since = clock.now() - Date.parse(channel.sentDate ?? toMoment(0));
    if (Math.abs(since) < leastGapMs) return undefined;
    const queued = await store.listQueued(database.read, channel.id, mostAtOnce);
    if (queued.length === 0) return undefined;
    const nextDate = later(0);
    const message = JSON.stringify(toMessage(queued, { id: ids.uuid(), createdDate: nextDate, publicUrl }));
    const noticeIds = queued.map(({ id }) => id);
    const begun = { id: channel.id, message, nextDate };
    const isBegun = await database.write((tx) => store.beginMessage(tx, begun, noticeIds), isolation);
    return isBegun ? { ...channel, message, nextDate, attempts: 0 } : undefined;
  }

  async function attempt(channel: NoticeChannelRow, message: Message, signal: AbortSignal): Promise<void> {
    const { id } = channel;
    const leaseDate = later(leaseMs);
    if (!(await database.write((tx) => store.takeAttempt(tx, channel, leaseDate), isolation))) return;
    const to = readDestination(channel, sealing);
    const sent = await transport(message, to, signal);
    if (!sent.ok) logger.warn("notice-not-sent", { channelId: id, count: channel.attempts + 1, reason: sent.answer });
    const outcome = outcomeOf(sent, channel, { messageId: message.id, now: clock.now() });
    await database.write((tx) => store.noteOutcome(tx, { id, leaseDate }, outcome), isolation);
  }

  async function serve(channel: NoticeChannelRow, signal: AbortSignal): Promise<void> {
    const { quietHours } = channel;
    if (quietHours !== null && isQuiet(JSON.parse(quietHours) as QuietHours, clock.now())) return;
    const ready = channel.message === null ? await makeMessage(channel) : channel;
    if (ready?.message == null || (ready.nextDate ?? "") > later(0)) return;
    await attempt(ready, JSON.parse(ready.message) as Message, signal);
  }

  return {
    async round(signal) {
      const channels = await store.listBusy(database.read);
      await Promise.all(
        channels.map((channel) =>
          serve(channel, signal).catch((cause: unknown) => {
            if (!signal.aborted) logger.error("notice-channel-failed", { channelId: channel.id, cause });
          }),
        ),
      );
    },
  };
}

type Attempted = { messageId: string; now: number };

function outcomeOf(sent: Sent, { attempts }: NoticeChannelRow, { messageId, now }: Attempted): store.Outcome {
  if (sent.ok) return { message: null, nextDate: null, error: null, givenUpDate: null, sentDate: toMoment(now) };
  const status = sent.status === null ? "" : `${sent.status} `;
  const error = `${status}${sent.answer}`.trim();
  const pauseMs = pausesMs[attempts];
  if (pauseMs === undefined) return { message: null, nextDate: null, error, givenUpDate: toMoment(now) };
  const share = hash("sha256", `${messageId}:${attempts}`, "buffer").readUInt32BE(0) / 0xffff_ffff;
  const waitMs = Math.max(leastGapMs, Math.round(pauseMs * (1 + jitter * (2 * share - 1))));
  return { nextDate: toMoment(now + waitMs), error };
}
