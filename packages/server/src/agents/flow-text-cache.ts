/** Flows by version id. A version never changes, so an entry is never wrong; it is only forgotten. */
export type FlowTextCache = {
  get(versionId: string): string | undefined;
  set(versionId: string, flowData: string): void;
};

/** Keeps the most recently used flows, at most `maxCharacters` in all. */
export function createFlowTextCache(maxCharacters: number): FlowTextCache {
  const entries = new Map<string, string>();
  let characters = 0;
  const forget = (versionId: string, flowData: string) => {
    entries.delete(versionId);
    characters -= flowData.length;
  };
  return {
    get(versionId) {
      const flowData = entries.get(versionId);
      if (flowData === undefined) return undefined;
      entries.delete(versionId);
      entries.set(versionId, flowData);
      return flowData;
    },
    set(versionId, flowData) {
      if (entries.has(versionId) || flowData.length > maxCharacters) return;
      entries.set(versionId, flowData);
      characters += flowData.length;
      for (const [oldest, text] of entries) {
        if (characters <= maxCharacters) break;
        forget(oldest, text);
      }
    },
  };
}
