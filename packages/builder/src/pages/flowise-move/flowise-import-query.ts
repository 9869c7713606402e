import { queryOptions, useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import type { FlowiseImport } from "@weft/client";
import { client, isApiError, queryClient } from "../../api/client.ts";
import { flowiseMoveStrings as strings } from "../../strings.ts";
import { type SendProgress, type SliceReceiver, sendInSlices } from "./send-in-slices.ts";

const runningMs = 700;
/** Someone else may be uploading. */
const incompleteMs = 3_000;

/** What was uploaded, and the latest dry run or import, which the server goes on with whether anyone looks or not. */
export const flowiseImportQuery = queryOptions({
  queryKey: ["flowise-import"],
  queryFn: ({ signal }) => client.getFlowiseImport({ signal }),
  staleTime: 0,
  // A failure is shown at once, and the next refetch follows all the same.
  retry: false,
  refetchInterval: ({ state: { data } }) => {
    if (data?.run?.state === "running") return runningMs;
    return data !== undefined && isIncomplete(data) ? incompleteMs : false;
  },
});

export function isIncomplete({ file }: FlowiseImport): boolean {
  return file !== null && file.receivedBytes < file.sizeBytes;
}

/** Shows this state until the server says another. */
export function showState(state: FlowiseImport): void {
  queryClient.setQueryData(flowiseImportQuery.queryKey, state);
}

const uploadKey = ["flowise-upload"];

const progressQuery = queryOptions<SendProgress>({ queryKey: uploadKey, enabled: false, gcTime: Infinity });

type UploadVariables = { file: File; from: number; controller: AbortController };

export type Upload = {
  start(file: File, from: number): void;
  /** The upload that goes on, also one that was started before the page was left. */
  running: (SendProgress & { name: string; sizeBytes: number; stop(): void }) | undefined;
  error: unknown;
};

/** Uploads a file, beyond the life of the page. */
export function useUpload(): Upload {
  const { mutate } = useMutation({
    mutationKey: uploadKey,
    mutationFn: upload,
    networkMode: "always",
    onSettled: () => queryClient.invalidateQueries({ queryKey: flowiseImportQuery.queryKey }),
  });
  const latest = useMutationState({
    filters: { mutationKey: uploadKey },
    select: ({ state: { status, variables, error } }) => ({ status, error, variables: variables as UploadVariables }),
  }).at(-1);
  const { data: progress } = useQuery(progressQuery);
  const start = (file: File, from: number) => mutate({ file, from, controller: new AbortController() });
  if (latest?.status !== "pending") {
    const isStopped = latest?.variables.controller.signal.aborted;
    return { start, running: undefined, error: isStopped ? null : latest?.error };
  }
  const { file, from, controller } = latest.variables;
  const { name, size: sizeBytes } = file;
  const running = { sentBytes: from, isLost: false, ...progress, name, sizeBytes, stop: () => controller.abort() };
  return { start, running, error: null };
}

async function upload({ file, from, controller: { signal } }: UploadVariables): Promise<void> {
  if (file.size === 0) throw new Error(strings.emptyFile({ name: file.name }));
  if (file.size > maxBytes) throw new Error(strings.tooLarge({ name: file.name }));
  const showProgress = (progress: SendProgress) => queryClient.setQueryData(progressQuery.queryKey, progress);
  showProgress({ sentBytes: from, isLost: false });
  const receiver = createReceiver(file, signal);
  await sendInSlices(file, receiver, { from, signal, onProgress: showProgress, now: () => performance.now(), pause });
}

const maxBytes = 2 * 1_024 ** 3;

function createReceiver({ name, size: sizeBytes }: File, signal: AbortSignal): SliceReceiver {
  const arrivedOf = ({ file }: FlowiseImport) =>
    file?.name === name && file.sizeBytes === sizeBytes ? file.receivedBytes : 0;
  return {
    async send(slice, offset) {
      const state = await client.uploadFlowiseFile({ name, sizeBytes, offset }, slice, { signal });
      showState(state);
      return arrivedOf(state);
    },
    arrivedBytes: async () => arrivedOf(await client.getFlowiseImport({ signal })),
    toFailure,
  };
}

/** How often the server may still be at the slice whose connection was lost. */
const maxConflicts = 5;

function toFailure(error: unknown, lostConnections: number): ReturnType<SliceReceiver["toFailure"]> {
  if (error instanceof TypeError) return "lost";
  if (!isApiError(error)) return "refused";
  const { status, code } = error;
  if (status === 413 && code === "unknown") return "slice-too-large";
  if (status === 409 && lostConnections > 0 && lostConnections < maxConflicts) return "lost";
  return [408, 429, 502, 503, 504].includes(status) ? "lost" : "refused";
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
