import type { AgentVersionUpdate } from "@weft/client";
import type { Finding } from "@weft/schema";
import { useRef, useState } from "react";
import { client } from "../../../api/client.ts";
import type { Question } from "../../../api/settings.ts";
import { type CanvasSession, toDocument } from "../../../canvas/index.ts";
import type { AgentSave } from "../editor-state.ts";

/** A new place that a flow sends a credential to, and the step that does. */
export type AskedDestination = { nodeId: string | null; question: Question };

/** Each once a step. */
function questionsIn(findings: readonly Finding[]): AskedDestination[] {
  const asked = findings.flatMap(({ nodeId, bind }) => (bind === undefined ? [] : [{ nodeId, question: bind }]));
  return [...new Map(asked.map((each) => [JSON.stringify(each), each])).values()];
}

/**
 * Publishes the flow: shows what that changes, and asks before where its credentials go somewhere new. What was said about
 * the version is kept until it is published.
 */
export function usePublishing(session: CanvasSession, saving: AgentSave) {
  const [isOpen, setOpen] = useState(false);
  const [isSending, setSending] = useState(false);
  const [asked, setAsked] = useState<readonly AskedDestination[]>([]);
  const texts = useRef<AgentVersionUpdate>({});
  const running = useRef<Promise<boolean>>(undefined);

  /** Resolves with whether it is published. */
  async function publishNow(overwrite = false): Promise<boolean> {
    const isDone = await saving.publish({ overwrite, version: texts.current });
    if (isDone) {
      texts.current = {};
      setOpen(false);
    }
    return isDone;
  }

  async function askAndPublish(): Promise<boolean> {
    session.attention.demandAll();
    const flowData = JSON.stringify(toDocument(session.editor.state().model));
    // What cannot be checked now is checked again by every run.
    const questions = await client.readFlow({ flowData }).then(
      ({ findings }) => questionsIn(findings),
      () => [],
    );
    if (questions.length === 0) return publishNow();
    setAsked(questions);
    setOpen(false);
    return false;
  }

  /** One at a time. */
  function run(work: () => Promise<boolean>): Promise<boolean> {
    running.current ??= work().finally(() => {
      running.current = undefined;
      setSending(false);
    });
    setSending(true);
    return running.current;
  }

  return {
    /** Whether it shows what publishing would change. */
    isOpen,
    isSending,
    asked,
    open(): void {
      session.attention.demandAll();
      setOpen(true);
    },
    close: () => setOpen(false),
    /** Takes the questions back: nothing is published. */
    dismiss: () => setAsked([]),
    /** Publishes, or asks where credentials go. Resolves with whether it is published. */
    send(said: AgentVersionUpdate = {}): Promise<boolean> {
      const { name = "", note = "" } = said;
      texts.current = { ...(name.trim() !== "" && { name }), ...(note.trim() !== "" && { note }) };
      return run(askAndPublish);
    },
    /** Publishes after the questions were answered. */
    answer(): Promise<boolean> {
      setAsked([]);
      return run(() => publishNow());
    },
    /** Publishes over what someone else published. */
    overwrite: () => run(() => publishNow(true)),
    /** Waits for what is being sent. Resolves with whether nothing is left to decide. */
    settle: async (): Promise<boolean> => running.current === undefined || (await running.current),
  };
}

export type Publishing = ReturnType<typeof usePublishing>;
