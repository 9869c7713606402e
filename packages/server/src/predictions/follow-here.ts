import type { EventStream } from "@weft/http";
import type { RunBroadcast } from "@weft/run-host";
import type { AttachService } from "./attach.service.ts";
import type { FrameWriter } from "./stream-frames.ts";

export type FollowDeps = { broadcast: Pick<RunBroadcast, "follow">; attach: Pick<AttachService, "goOn"> };

export type Followed = { runId: string; writer: FrameWriter; afterSeq: number };

/** Streams a run of this process, and goes on from its journal when the process loses the run before its end. */
export function followHere({ broadcast, attach }: FollowDeps, stream: EventStream, followed: Followed): void {
  const { runId, writer } = followed;
  let { afterSeq } = followed;
  let isOver = false;
  const stopFollowing = broadcast.follow(runId, {
    events(events) {
      afterSeq = events.at(-1)?.seq ?? afterSeq;
      stream.send(writer.events(events));
    },
    delta: (delta) => stream.send(writer.delta(delta)),
    left() {
      // This process may take the run over again: from now on the journal alone says what comes.
      stopFollowing();
      if (!isOver) attach.goOn(stream, writer, { runId, afterSeq });
    },
  });
  stream.onceOver(() => {
    isOver = true;
    stopFollowing();
  });
}
