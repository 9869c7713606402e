import type { RunObserver, TextDelta } from "@weft/engine/ports/observer";
import type { RunEvent } from "@weft/schema";
import type { RedisLink } from "./redis-link.ts";
import type { NoteBox } from "./sealed-notes.ts";

/**
 * Forwards run events from the process that works on them to their followers in other processes. Whatever is lost on
 * the way is read from the journal: a follower fetches missing events, and gets the rest of a message once it is
 * finished.
 */
export type RunRelay = RunObserver & {
  /**
   * Passes on what happens to a run elsewhere to this process's observer, until the returned function is called.
   * `heard` is called once the subscription is active, which never happens without Redis.
   */
  listen(runId: string, heard: () => void): () => void;
  /** Call when this process works on a run that another one started, where it may be followed. */
  begun(runId: string): void;
  /** Call when this process no longer works on it. */
  left(runId: string): void;
};

export type RunRelayDeps = {
  link: RedisLink;
  /** Seals notes, so that others with access to Redis can neither read nor forge them. */
  notes: NoteBox;
  /** Receives notes of other processes. */
  observer: RunObserver & {
    /** Nobody here follows the run any more. */
    forget(runId: string): void;
  };
  isHere(runId: string): boolean;
  /** Messages being written in a run of this process, each from its start. */
  textsOf(runId: string): TextDelta[];
};

/** Sent by the process that works on a run to its followers. */
type Note = { events: readonly RunEvent[] } | { delta: TextDelta };

/** Longer events are read from the journal. */
const mostCharacters = 256 * 1_024;

export function createRunRelay({ link, notes, observer, isHere, textsOf }: RunRelayDeps): RunRelay {
  const { commands } = link;
  const subscriber = link.openListening();
  const [askChannel, runPrefix] = [`${link.prefix}:follow`, `${link.prefix}:run:`];
  /** Runs of this process that others may follow. */
  const followed = new Set<string>();
  const listeners = new Map<string, number>();
  const ignore = (): undefined => undefined;

  function tell(runId: string, note: Note): void {
    const text = JSON.stringify(note);
    if (text.length > mostCharacters) return;
    commands.publish(runPrefix + runId, notes.seal(runId, text)).then((count) => {
      // Later followers ask again.
      if (count === 0) followed.delete(runId);
    }, ignore);
  }

  function answer(runId: string): void {
    if (!isHere(runId)) return;
    followed.add(runId);
    for (const delta of textsOf(runId)) tell(runId, { delta });
  }

  function take(runId: string, sealed: string): void {
    if (!listeners.has(runId) || isHere(runId)) return;
    const text = notes.open(runId, sealed);
    if (text === undefined) return;
    const note: Note = JSON.parse(text);
    if ("delta" in note) observer.delta(note.delta);
    else observer.committed(runId, note.events);
  }

  subscriber.on("message", (channel, text) => {
    if (channel === askChannel) answer(text);
    else take(channel.slice(runPrefix.length), text);
  });
  subscriber.subscribe(askChannel).catch(ignore);

  return {
    begun: (runId) => void followed.add(runId),
    left: (runId) => void followed.delete(runId),
    committed(runId, events) {
      if (followed.has(runId)) tell(runId, { events });
    },
    delta(delta) {
      if (followed.has(delta.runId)) tell(delta.runId, { delta });
    },
    listen(runId, heard) {
      const count = listeners.get(runId) ?? 0;
      listeners.set(runId, count + 1);
      const subscribed = subscriber.subscribe(runPrefix + runId);
      subscribed.then(heard, ignore);
      if (count === 0) subscribed.then(() => commands.publish(askChannel, runId)).catch(ignore);
      return () => {
        const left = (listeners.get(runId) ?? 1) - 1;
        if (left > 0) return void listeners.set(runId, left);
        listeners.delete(runId);
        observer.forget(runId);
        subscriber.unsubscribe(runPrefix + runId).catch(ignore);
      };
    },
  };
}
