import type { Play } from "../session/read-aloud.ts";

/** A browser may hold `resume` back until someone acts in the page, and gives no sign of it. Otherwise it is only slow. */
const patienceMs = () => (navigator.userActivation?.hasBeenActive === false ? 1_000 : 10_000);

/**
 * Plays by Web Audio rather than an `audio` element: a page's content security policy needs to allow nothing for it.
 * The device is opened with the first recording, unless the browser waits for someone to act in the page.
 */
export function createPlay(): Play {
  let opened: AudioContext | undefined;
  return async (file, signal) => {
    opened ??= new AudioContext();
    const context = opened;
    await Promise.race([context.resume(), new Promise((resolve) => setTimeout(resolve, patienceMs()))]);
    if (context.state !== "running") throw new Error("The browser lets nothing be heard yet.");
    const buffer = await context.decodeAudioData(file.buffer);
    if (signal.aborted) return;
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    const ended = new Promise((resolve) => source.addEventListener("ended", resolve));
    signal.addEventListener("abort", () => source.stop());
    source.start();
    await ended;
  };
}
