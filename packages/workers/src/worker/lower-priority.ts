import { constants, getPriority, platform, setPriority } from "node:os";

/**
 * Gives this thread the lowest priority, so that a server under hostile code answers as fast as at rest. Only on Linux,
 * which has a priority for each thread: elsewhere the whole process would be slowed.
 */
export function lowerPriority(): void {
  const lower = constants.priority.PRIORITY_BELOW_NORMAL;
  if (platform() !== "linux" || getPriority() >= lower) return;
  try {
    setPriority(lower);
  } catch {
    // A container may forbid it. The code then competes with the server, and is limited as before.
  }
}
