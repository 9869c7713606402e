import type { RunObserver, TextDelta } from "@weft/engine/ports/observer";
import type { RunEvent } from "@weft/schema";
import type { RedisLink } from "./redis-link.ts";
import type { NoteBox } from "./sealed-notes.ts";

/**
 * Carries what happens in runs from the process that works on them to those that follow them, as it happens. What is lost
 * on the way is read in the journal: a follower asks for the events that it misses, and has the rest of a message when it
 * is finished.
 */
export type RunRelay = RunObserver & {
  /**
   * Tells this process's observer what happens to a run elsewhere, until the returned function is called. `heard` is called
   * once the subscription is active, which never happens without Redis.
   */
  listen(runId: string, heard: () => void): () => void;
  /** This process works on a run that another one began, and that may be followed there. */
  begun(runId: string): void;
  /** It works on the run no more. */
  left(runId: string): void;
};

export type RunRelayDeps = {
  link: RedisLink;
  /** Others who reach Redis learn nothing of a run, and tell nothing. */
  notes: NoteBox;
  /** Hears what other processes tell. */
  observer: RunObserver & {
    /** Nobody here follows the run any more. */
    forget(runId: string): void;
  };
  isHere(runId: string): boolean;
  /** Messages of a run of this process that are being written, each from its beginning. */
  textsOf(runId: string): TextDelta[];
};

/** What the process that works on a run tells those that follow it. */
type Note = { events: readonly RunEvent[] } | { delta: TextDelta };

/** Longer events are read in the journal. */
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
      // Later callers ask.
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
