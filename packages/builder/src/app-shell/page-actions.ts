import { useEffect, useRef, useSyncExternalStore } from "react";

/** An action of the open page, offered in the command menu. */
export type PageAction = { label: string; act(): void };

/** Something on the open page that the command menu leads to, such as a step. */
export type PageItem = PageAction & { key: string; note?: string | undefined };

/** What the open page offers. `items` is asked each time the menu opens; absent: there is nothing to find. */
type Offer = { actions: readonly PageAction[]; items?: (() => readonly PageItem[]) | undefined };

const nothing: Offer = { actions: [] };
let offered = nothing;
const listeners = new Set<() => void>();

function offer(next: Offer): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers actions and items while the page is open. The labels of the actions must stay the same. */
export function usePageActions(actions: readonly PageAction[], items?: Offer["items"]): void {
  const latest = useRef({ actions, items });
  latest.current = { actions, items };
  useEffect(() => {
    const own = latest.current.actions.map(({ label }, index) => ({
      label,
      act: () => latest.current.actions[index]?.act(),
    }));
    const hasItems = latest.current.items !== undefined;
    offer({ actions: own, items: hasItems ? () => latest.current.items?.() ?? [] : undefined });
    return () => offer(nothing);
  }, []);
}

/** Whether there is something to find on the open page. */
export function hasItemsToFind(): boolean {
  return offered.items !== undefined;
}

export function useOffer(): Offer {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
