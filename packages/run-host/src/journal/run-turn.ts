import type { FileUpload, RunEvent, RunEventOf, RunInput, RunUpload } from "@weft/schema";

/** One question and answer of a chat: begun by a run's start, or by what went on with it after it was suspended. */
export type RunTurn = {
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** Undefined where nobody said anything new: the run goes on from a failed one, or after time or a signal. */
  userMessageId: string | undefined;
  apiMessageId: string;
  /** The user's message in words. */
  content: string;
  fileUploads: readonly FileUpload[];
};

/** The turn that a run begins with. */
export function firstTurn(started: RunEventOf<"run-started">, askedAt: number): RunTurn {
  const { input, userMessageId, apiMessageId, retriedFrom } = started;
  return {
    askedAt,
    userMessageId: retriedFrom === undefined ? userMessageId : undefined,
    apiMessageId,
    content: questionText(input),
    fileUploads: (input.uploads ?? []).map((upload) => toFileUpload(started, upload)),
  };
}

/** An upload as the chat message shows it. A stored file is read by its name in the chat. */
function toFileUpload({ agentId, chatId }: RunEventOf<"run-started">, upload: RunUpload): FileUpload {
  const { data, type, name, mime, sizeBytes, fileId } = upload;
  const place = new URLSearchParams({ chatflowId: agentId, chatId, fileName: name });
  return {
    data,
    type,
    name,
    mime,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    ...(fileId !== undefined && { url: `/api/v1/get-upload-file?${place}` }),
  };
}

/** The turn that begins when a suspended run goes on. */
export function resumedTurn(turn: NonNullable<RunEventOf<"node-resumed">["turn"]>, askedAt: number): RunTurn {
  const { userMessageId, ...said } = turn;
  return { ...said, userMessageId, askedAt, fileUploads: [] };
}

/** The turn that a run is in; undefined for a journal that does not begin. */
export function turnOf(events: readonly RunEvent[]): RunTurn | undefined {
  const resumed = events.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  if (resumed?.type === "node-resumed" && resumed.turn) return resumedTurn(resumed.turn, resumed.at);
  const [started] = events;
  return started?.type === "run-started" ? firstTurn(started, started.at) : undefined;
}

/** The question, or the fields of the form, in words. */
export function questionText(input: RunInput): string {
  if (input.question === "" && input.webhook) return JSON.stringify(input.webhook.body);
  if (input.question !== undefined) return input.question;
  return Object.entries(input.form ?? {})
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
