import type { PlatformProcess } from "../../../../packages/server/src/testing/platform-process.ts";

type Platform = Pick<PlatformProcess, "call">;
type StoredNode = { id: string; type: string; label: string; config: Record<string, unknown>; parent?: string };

/** A flow as the platform keeps it. */
export type StoredFlow = {
  nodes: StoredNode[];
  edges: { source: string; sourcePort: string; target: string }[];
};

/** Stores an agent; its id. */
export async function createAgent({ call }: Platform, flowData: string, name = "Agent"): Promise<string> {
  return (await call<{ id: string }>("POST", "/chatflows", { name, flowData })).id;
}

/** The flow of an agent as text, as it was saved. */
export async function storedText({ call }: Platform, id: string): Promise<string> {
  return (await call<{ flowData: string }>("GET", `/chatflows/${id}`)).flowData;
}

/** The flow of an agent. */
export async function storedFlow(platform: Platform, id: string): Promise<StoredFlow> {
  return JSON.parse(await storedText(platform, id));
}

/** The flow that an agent's editor shows: its draft, or what is published. */
export async function draftFlow({ call }: Platform, id: string): Promise<StoredFlow> {
  return JSON.parse((await call<{ flowData: string }>("GET", `/chatflows/${id}/draft`)).flowData);
}
