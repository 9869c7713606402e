/** The end that receives a file slice by slice. */
export type SliceReceiver = {
  /** Sends a slice that begins at `offset`; resolves with how many bytes of the file have arrived. */
  send(slice: Blob, offset: number): Promise<number>;
  /** Resolves with how many bytes of the file have arrived, after a connection was lost. */
  arrivedBytes(): Promise<number>;
  /** What an error means: the connection was lost, a proxy takes no slices of this size, or the file is refused. */
  toFailure(error: unknown, lostConnections: number): "lost" | "slice-too-large" | "refused";
};

export type SendProgress = { sentBytes: number; isLost: boolean };

export type SendOptions = {
  /** Where in the file to begin. */
  from: number;
  signal: AbortSignal;
  onProgress(progress: SendProgress): void;
  now(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
};

const kib = 1_024;
const firstSliceBytes = 512 * kib;
const smallestSliceBytes = 64 * kib;
const largestSliceBytes = 16 * kib * kib;
/** A slice that takes longer is followed by a smaller one; one that takes less than half of it, by a larger one. */
const longSliceMs = 4_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Sends a file in slices. Invariants:
 * - A lost connection ends nothing: it is tried until the receiver answers, and goes on where the receiver stands.
 * - Slices grow while the line is fast, and stay below what a proxy refused.
 * - Rejects with what the receiver refused, and with the signal's reason once it is aborted.
 */
export async function sendInSlices(file: Blob, receiver: SliceReceiver, options: SendOptions): Promise<void> {
  const { signal, onProgress, now, pause } = options;
  let sentBytes = options.from;
  let sliceBytes = firstSliceBytes;
  let mostBytes = largestSliceBytes;
  let lostConnections = 0;
  while (sentBytes < file.size) {
    signal.throwIfAborted();
    const beganMs = now();
    try {
      if (lostConnections > 0) sentBytes = await receiver.arrivedBytes();
      if (sentBytes < file.size) {
        sentBytes = await receiver.send(file.slice(sentBytes, sentBytes + sliceBytes), sentBytes);
      }
      lostConnections = 0;
      sliceBytes = nextSliceBytes(sliceBytes, now() - beganMs, mostBytes);
      onProgress({ sentBytes, isLost: false });
    } catch (error) {
      signal.throwIfAborted();
      const failure = receiver.toFailure(error, lostConnections);
      if (failure === "slice-too-large" && sliceBytes > smallestSliceBytes) {
        sliceBytes /= 2;
        mostBytes = sliceBytes;
        continue;
      }
      if (failure !== "lost") throw error;
      // Some proxies end the connection where a slice is too large for them.
      sliceBytes = Math.max(sliceBytes / 2, smallestSliceBytes);
      onProgress({ sentBytes, isLost: true });
      await pause(Math.min(firstPauseMs * 2 ** lostConnections, longestPauseMs), signal);
      lostConnections += 1;
    }
  }
}

function nextSliceBytes(sliceBytes: number, tookMs: number, mostBytes: number): number {
  if (tookMs > longSliceMs) return Math.max(sliceBytes / 2, smallestSliceBytes);
  return tookMs < longSliceMs / 2 ? Math.min(sliceBytes * 2, mostBytes) : sliceBytes;
}
