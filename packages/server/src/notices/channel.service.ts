import type { Tables } from "@weft/database";
import { type Identity, reachOf } from "@weft/http/identity";
import { listOrPage } from "@weft/http/rows";
import {
  momentAfter,
  type NoticeChannel,
  type NoticeChannelCreate,
  type NoticeChannelUpdate,
  type NoticeTest,
  type PageQuery,
  type QuietHours,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { CredentialService } from "../credentials/index.ts";
import type { NoticeChannelRow } from "./channel.store.ts";
import * as store from "./channel.store.ts";
import { rows } from "./channel.store.ts";
import { toTestMessage } from "./message.ts";
import { type Destination, readDestination, type Transport } from "./transport.ts";

export type ChannelServiceDeps = Pick<Context, "database" | "clock" | "ids" | "limits"> & {
  sealing: CredentialService["sealing"];
  transport: Transport;
  publicUrl: string;
  hasMailServer: boolean;
  /** Whether a webhook's address may do without TLS. */
  allowsPlain(url: URL): boolean;
};

/** Where notices are sent. Functions that take an id reject with `not-found` for an unknown one. */
export type ChannelService = {
  /** Most recently updated first, without their secrets. */
  list(query: PageQuery): Promise<NoticeChannel[] | { data: NoticeChannel[]; total: number }>;
  get(id: string): Promise<NoticeChannel>;
  /** Rejects with `conflict` for the twenty-first, and for mail without a mail server. */
  create(body: NoticeChannelCreate, creator: Identity): Promise<NoticeChannel>;
  update(
    id: string,
    body: NoticeChannelUpdate,
    more: { editor: Identity; assertMatches(current: NoticeChannel): void },
  ): Promise<NoticeChannel>;
  remove(id: string, remover: Identity): Promise<void>;
  /** Sends a test at once, and resolves with what the other end said. */
  test(id: string, tester: Identity, signal: AbortSignal): Promise<NoticeTest>;
};

const most = 20;
const noMailServer = "No mail server is configured. Set SMTP_URL and MAIL_FROM for the server.";
const testsAMinute = { requests: 10, windowMs: 60_000 };
const nothingSent = { message: null, attempts: 0, nextDate: null, error: null, givenUpDate: null } as const;

export function createChannelService(deps: ChannelServiceDeps): ChannelService {
  const { database, clock, ids, limits, sealing, transport, publicUrl, hasMailServer } = deps;
  const { read } = database;

  function seal(tx: Kysely<Tables>, { address, secret }: Destination, id: string): Promise<string> {
    return sealing.seal(tx, JSON.stringify({ address, secret }), id);
  }

  async function toChannel(db: Kysely<Tables>, row: NoticeChannelRow): Promise<NoticeChannel> {
    return present(row, (await store.countQueued(db)).get(row.id) ?? 0);
  }

  return {
    async list(query) {
      const queued = await store.countQueued(read);
      return listOrPage(store.allChannels(read), query, (row) => present(row, queued.get(row.id) ?? 0));
    },

    get: async (id) => toChannel(read, await rows.get(read, id)),

    create({ id = ids.uuid(), kind, address, secret, ...body }, creator) {
      assertWholeReach(creator);
      const shown = checkDestination(deps, { kind, address, secret });
      if (kind === "mail" && !hasMailServer) throw conflict(noMailServer);
      const now = toMoment(clock.now());
      return database.write(async (tx) => {
        if ((await store.countChannels(tx)) >= most) {
          throw conflict(`There are ${most} notice channels. Delete one first.`);
        }
        const destination = await seal(tx, { kind, address, secret }, id);
        const dates = { sentDate: null, createdDate: now, updatedDate: now };
        const row = { id, kind, shown, destination, ...toColumns(body), ...nothingSent, ...dates };
        return present(await rows.insert(tx, row), 0);
      });
    },

    update(id, { address, secret, ...body }, { editor, assertMatches }) {
      assertWholeReach(editor);
      return database.write(async (tx) => {
        const row = await rows.lock(tx, id);
        const current = await toChannel(tx, row);
        assertMatches(current);
        const next = toColumns({ ...current, ...onlyGiven(body) });
        const moved = onlyGiven({ address, secret });
        const isMoved = Object.keys(moved).length > 0;
        const to = { ...(isMoved && readDestination(row, sealing)), ...moved } as Destination;
        const updated: NoticeChannelRow = {
          ...{ ...row, ...next, updatedDate: momentAfter(row.updatedDate, clock.now()) },
          ...(isMoved && { shown: checkDestination(deps, to), destination: await seal(tx, to, id) }),
          ...(isMoved && { attempts: 0, error: null, givenUpDate: null }),
          // A corrected channel is tried at once.
          ...(isMoved && row.message !== null && { nextDate: toMoment(clock.now()) }),
          ...(next.isEnabled === 0 && nothingSent),
        };
        if (next.isEnabled === 0) await store.deleteQueue(tx, id);
        await rows.update(tx, updated);
        return toChannel(tx, updated);
      });
    },

    async remove(id, remover) {
      assertWholeReach(remover);
      await database.write(async (tx) => {
        await rows.remove(tx, id);
        await store.deleteQueue(tx, id);
      });
    },

    async test(id, tester, signal) {
      assertWholeReach(tester);
      const row = await rows.get(read, id);
      const { waitMs } = await limits.take(`notice-test ${id}`, testsAMinute);
      if (waitMs > 0) throw tooOften(waitMs);
      const message = toTestMessage({ id: ids.uuid(), createdDate: toMoment(clock.now()), publicUrl });
      return transport(message, readDestination(row, sealing), signal);
    },
  };
}

/** Channels send what happens to every agent, so a key that is limited to some sets up none. */
function assertWholeReach(identity: Identity): void {
  if (reachOf(identity).agents === "all") return;
  const message = "An API key that is limited to agents cannot manage where notices are sent.";
  throw new WeftError("forbidden", { params: { permission: "" }, message });
}

/** Returns what people see of the address. */
function checkDestination({ allowsPlain }: ChannelServiceDeps, { kind, address, secret }: Destination): string {
  if (kind !== "webhook" && secret !== "") throw invalid("secret", "is for webhooks alone");
  if (kind === "mail") {
    if (!isMailAddress(address)) throw invalid("address", "must be an address for mail such as ops@example.com");
    return address;
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw invalid("address", "must be an address that begins with https://");
  if (url.protocol === "http:" && !allowsPlain(url))
    throw invalid("address", "must begin with https://, because the server does not allow this host without it");
  if (kind === "webhook" && !isSigningSecret(secret))
    throw invalid("secret", "must be whsec_ and the base64 of at least 16 bytes, or at least 24 characters");
  return url.pathname === "/" && url.search === "" ? url.origin : `${url.origin}/…`;
}

/** One address, without a display name: nothing that a mail's head could take for more. */
function isMailAddress(address: string): boolean {
  return (
    address.length <= 254 &&
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(address)
  );
}

function isSigningSecret(secret: string): boolean {
  const prefix = "whsec_";
  if (!secret.startsWith(prefix)) return secret.length >= 24;
  return Buffer.from(secret.slice(prefix.length), "base64").byteLength >= 16;
}

function invalid(path: string, message: string): WeftError {
  return new WeftError("body-invalid", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}

function tooOften(waitMs: number): WeftError {
  return new WeftError("rate-limited", { params: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } });
}

type Shown = Pick<NoticeChannel, "name" | "kinds" | "agents" | "quietHours" | "isEnabled">;

function toColumns({ name, kinds, agents, quietHours, isEnabled }: Shown) {
  return {
    name,
    kinds: JSON.stringify([...new Set(kinds)]),
    agents: JSON.stringify(agents),
    quietHours: quietHours === null ? null : JSON.stringify(quietHours),
    isEnabled: isEnabled ? 1 : 0,
  };
}

function onlyGiven<T extends object>(body: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never;
}

function present(row: NoticeChannelRow, queued: number): NoticeChannel {
  const { id, name, kind, shown, quietHours, isEnabled, message, error, nextDate, givenUpDate } = row;
  const { notices = [], more = 0 } =
    message === null ? {} : (JSON.parse(message) as { notices?: unknown[]; more?: number });
  return {
    ...{ id, name, kind, address: shown, kinds: store.readKinds(row), agents: store.readAgents(row) },
    quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours),
    isEnabled: isEnabled === 1,
    waiting: queued + notices.length + more,
    ...{ error, nextDate: error === null ? null : nextDate, givenUpDate },
    ...{ sentDate: row.sentDate, createdDate: row.createdDate, updatedDate: row.updatedDate },
  };
}
