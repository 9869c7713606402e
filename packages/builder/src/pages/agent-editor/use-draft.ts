import { useEffect, useState, useSyncExternalStore } from "react";
import { client, errorSentence, isApiError } from "../../api/client.ts";
import { useMay } from "../../api/settings.ts";
import { type CanvasSession, type FlowModel, toDocument } from "../../canvas/index.ts";

/** `changed`: someone else saved the draft since it was opened here, so that nothing is saved until one decides. */
export type DraftState = { kind: "saved" | "waiting" | "saving" | "changed" } | { kind: "failed"; problem: string };

/** The draft of an agent, which saves itself. */
export type Draft = {
  state(): DraftState;
  subscribe(listener: () => void): () => void;
  /** Saves what is not saved yet. Resolves with whether everything is. */
  flush(): Promise<boolean>;
  /** Saves over what someone else saved. */
  overwrite(): Promise<boolean>;
  /** After the flow was published, or the draft discarded: goes on from what the server has now. */
  refresh(): Promise<void>;
  /** Saves every change of the editor until the returned function is called. */
  watch(): () => void;
};

type DraftDeps = {
  agentId: string;
  /** Entity tag of the draft when it was opened. */
  etag: string;
  editor: CanvasSession["editor"];
  pins: CanvasSession["pins"];
  client: Pick<typeof client, "saveAgentDraft" | "getAgentDraft">;
};

/** After the last change. */
const restMs = 800;
const retryMs = 3_000;

/** Whether the same request may succeed later; what was refused waits for the next edit. */
function mayPass(error: unknown): boolean {
  return !isApiError(error) || error.retryable || error.status >= 500;
}

/** Saves once nothing has changed for a moment, and again after a failure. */
export function createDraft({ agentId, etag: opened, editor, pins, client: api }: DraftDeps): Draft {
  const { state, show, subscribe } = createShownState();
  let etag = opened;
  let saved: FlowModel = editor.state().model;
  let savedPins = pins.all();
  const timer = createTimer(() => void flush());
  let saving: Promise<boolean> | undefined;

  const isDone = () => editor.state().model === saved && pins.all() === savedPins;
  const onResponse = (response: Response) => {
    etag = response.headers.get("etag") ?? "";
  };

  async function save(ifMatch: string): Promise<boolean> {
    const { model } = editor.state();
    const pinned = pins.all();
    show({ kind: "saving" });
    try {
      const body = { flowData: JSON.stringify(toDocument(model)), ...(pinned !== savedPins && { pins: pinned }) };
      await api.saveAgentDraft({ id: agentId }, body, { ...(ifMatch !== "" && { ifMatch }), onResponse });
      saved = model;
      savedPins = pinned;
    } catch (error) {
      const isChanged = isApiError(error) && error.status === 412;
      show(isChanged ? { kind: "changed" } : { kind: "failed", problem: errorSentence(error) });
      if (!isChanged && mayPass(error)) timer.start(retryMs);
      return false;
    }
    if (isDone()) show({ kind: "saved" });
    return isDone() || save(etag);
  }

  /** One at a time: the next one needs the tag of the one before. */
  function run(ifMatch: () => string): Promise<boolean> {
    timer.stop();
    saving ??= save(ifMatch()).finally(() => {
      saving = undefined;
    });
    return saving;
  }

  async function flush(): Promise<boolean> {
    if (state().kind === "changed") return false;
    if (saving) await saving;
    return isDone() || run(() => etag);
  }

  function noticeEdit(): void {
    const { kind } = state();
    if (kind === "changed" || kind === "saving") return;
    if (isDone()) {
      timer.stop();
      if (kind !== "saved") show({ kind: "saved" });
      return;
    }
    if (kind !== "failed") show({ kind: "waiting" });
    timer.start(restMs);
  }

  return {
    state,
    subscribe,
    flush,
    overwrite: () => run(() => ""),
    async refresh() {
      const { pins: kept } = await api.getAgentDraft({ id: agentId }, { onResponse });
      // Publishing takes the draft away, and its pins with it; here they stay for the next test.
      savedPins = Object.keys(kept).length === Object.keys(pins.all()).length ? pins.all() : kept;
      noticeEdit();
    },
    watch() {
      const stops = [editor.subscribe(noticeEdit), pins.watch(noticeEdit)];
      return () => {
        timer.stop();
        for (const stop of stops) stop();
      };
    },
  };
}

function createTimer(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** Starts again if it runs already. */
    start(ms: number): void {
      clearTimeout(timer);
      timer = setTimeout(run, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

function createShownState() {
  const listeners = new Set<() => void>();
  let state: DraftState = { kind: "saved" };
  return {
    state: () => state,
    show(next: DraftState): void {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type OpenDraft = Draft & { shown: DraftState };

/**
 * The draft of the open agent. What is not saved when the window is hidden or the line comes back is saved then. For those
 * who may not change agents nothing is saved.
 */
export function useDraft(session: CanvasSession, agentId: string, etag: string): OpenDraft {
  const [draft] = useState(() => createDraft({ agentId, etag, ...session, client }));
  const shown = useSyncExternalStore(draft.subscribe, draft.state);
  const maySave = useMay()("agents:write");
  useEffect(() => {
    if (!maySave) return undefined;
    const stop = draft.watch();
    const save = () => void draft.flush();
    window.addEventListener("online", save);
    document.addEventListener("visibilitychange", save);
    return () => {
      window.removeEventListener("online", save);
      document.removeEventListener("visibilitychange", save);
      stop();
    };
  }, [draft, maySave]);
  return { ...draft, shown, ...(!maySave && { flush: async () => true }) };
}
