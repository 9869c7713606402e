/** Ids of what exists, by kind. */
export type KnownIds = {
  /** Takes note of the ids in an answer from that path. */
  learn(path: string, text: string): void;
  /** What was at the path is no more. */
  forget(path: string): void;
  /** Puts ids into the places that stand for them. */
  fill(text: string, path: string): string;
};

/** Kinds by the field that names them; an `id` is of the kind that its path begins with. */
const kinds: Readonly<Record<string, string>> = {
  chatflowid: "chatflows",
  chatflowId: "chatflows",
  agentId: "chatflows",
  chatId: "chats",
  sessionId: "chats",
  messageId: "chatmessage",
  chatMessageId: "chatmessage",
  executionId: "executions",
  storeId: "document-store",
  docId: "loaders",
  loaderId: "loaders",
};

const keptPerKind = 60;

export function createKnownIds(): KnownIds {
  const byKind = new Map<string, string[]>();
  const idsOf = (kind: string) => byKind.get(kind) ?? [];

  function keep(kind: string, id: unknown): void {
    const ids = idsOf(kind);
    if (typeof id !== "string" || id === "" || ids.includes(id)) return;
    byKind.set(kind, [...ids, id].slice(-keptPerKind));
  }

  return {
    learn(path, text) {
      for (const item of [JSON.parse(text)].flat().slice(0, 5)) {
        if (typeof item !== "object" || item === null) continue;
        keep(kindOf(path), item.id);
        for (const [field, kind] of Object.entries(kinds)) keep(kind, item[field]);
      }
    },
    forget(path) {
      for (const [kind, ids] of byKind) {
        byKind.set(
          kind,
          ids.filter((id) => !path.includes(id)),
        );
      }
    },
    fill(text, path) {
      return text.replaceAll(/§(\w+):(\d+)§/g, (_, field: string, digits: string) => {
        const number = Number(digits);
        // One in eight is the id of something else.
        const own = kinds[field] ?? kindOf(path);
        const kind = number % 8 === 0 ? [...byKind.keys()][number % byKind.size] : own;
        const ids = idsOf(kind ?? own).length > 0 ? idsOf(kind ?? own) : idsOf("chatflows");
        return ids[number % ids.length] ?? "none";
      });
    },
  };
}

function kindOf(path: string): string {
  return path.split("/")[3] ?? "";
}
