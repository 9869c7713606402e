import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** What a signal is about. */
export type SignalTopic = "run-cancel-requested";

/**
 * Short messages between the processes on one database. They hurry, and may be lost with a connection: whoever must know
 * looks in the tables as well.
 */
export type Signals = {
  /** Tells the other processes, when the transaction commits. `text`: at most 1,000 characters. */
  send(tx: Kysely<Tables>, topic: SignalTopic, text: string): Promise<void>;
  /** Hears what others send, until the returned function is called. */
  hear(topic: SignalTopic, listener: (text: string) => void): () => void;
};

/** For a database that no other process uses. */
export const noSignals: Signals = { send: async () => undefined, hear: () => () => undefined };
