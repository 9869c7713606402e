import { useEffect, useRef, useSyncExternalStore } from "react";

/** An action of the open page, offered in the command menu. */
export type PageAction = { label: string; act(): void };

let offered: readonly PageAction[] = [];
const listeners = new Set<() => void>();

function offer(actions: readonly PageAction[]): void {
  offered = actions;
  for (const listener of listeners) listener();
}

/** Offers actions while the page is open. Their labels must stay the same. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    offer(latest.current.map(({ label }, index) => ({ label, act: () => latest.current[index]?.act() })));
    return () => offer([]);
  }, []);
}

/** The actions of the open page. */
export function useOfferedActions(): readonly PageAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
