import type { JsonObject, RunError, RunEvent } from "@weft/schema";

/** What begins a run; undefined while it is not there. */
type Started = object | undefined;

/**
 * An event of a run as the caller may see it. Visitors without credentials learn that a called service failed, not
 * what it said: that may name hosts, accounts and settings. The journal keeps it all, for the agent's owner.
 */
export function toVisibleEvent(runId: string, started: Started, event: RunEvent): RunEvent {
  if (!isVisitors(started)) return event;
  switch (event.type) {
    case "run-failed":
    case "node-failed":
      return { ...event, error: toVisibleError(runId, event.error) };
    case "node-completed": {
      const output = event.output as JsonObject | null;
      if (typeof output !== "object" || !Array.isArray(output?.usedTools)) return event;
      const usedTools = toVisibleTools(runId, started, output.usedTools as JsonObject[]) as JsonObject[];
      return { ...event, output: { ...output, usedTools } };
    }
    case "effect-finished": {
      const { outcome } = event;
      if (!outcome.ok) return { ...event, outcome: { ...outcome, error: toVisibleError(runId, outcome.error) } };
      const value = outcome.value as JsonObject | null;
      if (typeof value !== "object" || value?.isError !== true) return event;
      return { ...event, outcome: { ...outcome, value: { ...value, content: sentence(runId) } } };
    }
    default:
      return event;
  }
}

/** The events of a run as the caller may see them. */
export function toVisibleEvents(runId: string, events: readonly RunEvent[]): readonly RunEvent[] {
  const [started] = events;
  return isVisitors(started) ? events.map((event) => toVisibleEvent(runId, started, event)) : events;
}

/** Calls of tools with the words of those that failed left out. */
export function toVisibleTools<T extends { toolOutput?: unknown; error?: unknown }>(
  runId: string,
  started: Started,
  tools: readonly T[],
): T[] {
  const said = sentence(runId);
  const hide = (tool: T): T => (tool.error === undefined ? tool : { ...tool, toolOutput: said, error: said });
  return isVisitors(started) ? tools.map(hide) : [...tools];
}

function isVisitors(started: Started): boolean {
  return started !== undefined && "owner" in started && started.owner === "anonymous";
}

function toVisibleError(runId: string, error: RunError): RunError {
  const isOfService = /^(model|tool|embedding|vector-store|egress|credential)-/.test(error.code);
  if (!isOfService && error.upstream === undefined) return error;
  return { ...error, message: sentence(runId) };
}

function sentence(runId: string): string {
  return `A service that this agent needs did not do what it was asked. Try again later; the agent's owner finds the details in execution ${runId}.`;
}
