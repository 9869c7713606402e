import { everyOne, type Reference } from "@weft/engine";
import { type Finding, keyOfOwnStore, type ReferenceKind } from "@weft/schema";
import type { FlowReference } from "./find-references.ts";

export type ReferredThing = Pick<Reference, "kind" | "id">;

/** Whether a thing exists. Kinds without an entry are not checked. */
export type KnownReferences = Partial<Record<ReferenceKind, (id: string) => Promise<boolean>>>;

/** The same, plus the resources to treat as present. */
export function assuming(known: KnownReferences, isAssumed: (id: string) => boolean): KnownReferences {
  const entries = Object.entries(known).map(([kind, exists]) => [
    kind,
    async (id: string) => isAssumed(id) || exists(id),
  ]);
  return Object.fromEntries(entries);
}

/** Templates are known at run time only, and an agent's own stores are created with the agent. */
export async function isKnown({ kind, id }: ReferredThing, known: KnownReferences): Promise<boolean> {
  const exists = known[kind];
  return exists === undefined || id === everyOne || id.includes("{{") || keyOfOwnStore(id) !== undefined || exists(id);
}

/** A finding for each missing thing that a flow names, once a step: the step that needs it would fail. */
export async function checkReferences(
  references: readonly FlowReference[],
  known: KnownReferences,
): Promise<Finding[]> {
  const once = new Map<string, FlowReference>();
  for (const reference of references) {
    const key = `${reference.nodeId} ${reference.kind} ${reference.id}`;
    if (!once.has(key)) once.set(key, reference);
  }
  const findings = [...once.values()].map(async (reference) =>
    (await isKnown(reference, known)) ? [] : [toMissing(reference)],
  );
  return (await Promise.all(findings)).flat();
}

const words: Partial<Readonly<Record<ReferenceKind, (id: string) => string>>> = {
  credential: (id) => `Its credential ${id} does not exist. Choose another one, or create it.`,
  tool: (id) => `Its tool ${id} does not exist. Choose another one, or remove it.`,
  agent: (id) => `The agent ${id} that it calls does not exist. Choose another one.`,
  "document-store": (id) => `Its document store ${id} does not exist. Choose another one, or remove it.`,
  "mcp-server": (id) =>
    `The operator has set up no MCP server with the name ${id}. Choose another one, or add it to MCP_SERVERS.`,
};

function toMissing({ kind, id, nodeId, path }: FlowReference): Finding {
  const short = id.slice(0, 100);
  const message = words[kind]?.(short) ?? `${short} does not exist.`;
  return { level: "error", code: `${kind}-missing`, nodeId, path: path.join("."), message };
}
