import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { nodeTypesQuery } from "../api/catalogue.ts";
import { queryClient } from "../api/query-client.ts";
import { navigationGroups } from "./navigation-entries.ts";

/** Pages that are gone to from others; the rest is in the navigation. */
const innerPages = ["/agents/$agentId", "/executions/$executionId"];

/**
 * Loads the code of the pages that one may go to next, one after the other while there is nothing else to do, so that
 * they open at once. Not before somebody is signed in, and not for who saves data.
 */
export function useCodeAhead(isSignedIn: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isSignedIn || savesData()) return undefined;
    const paths = new Set([...innerPages, ...navigationGroups.flat().map(({ to }) => to)]);
    const routes = Object.values(router.routesByPath).filter(({ fullPath }) => paths.has(fullPath));
    return whenIdle([
      ...routes.map((route) => () => router.loadRouteChunk(route)),
      () => queryClient.prefetchQuery(nodeTypesQuery),
    ]);
  }, [router, isSignedIn]);
}

function savesData(): boolean {
  return "connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
}

/** What fails is left: who goes to the page loads it again, and hears what is wrong. Returns what stops it. */
function whenIdle(tasks: readonly (() => Promise<unknown> | undefined)[]): () => void {
  let isStopped = false;
  const [task, ...others] = tasks;
  let stopOthers = () => {};
  const goOn = async () => {
    await task?.()?.catch(() => undefined);
    if (!isStopped) stopOthers = whenIdle(others);
  };
  // Safari has no idle callbacks.
  const handle = task && (window.requestIdleCallback ?? setTimeout)(() => void goOn());
  return () => {
    isStopped = true;
    stopOthers();
    if (handle !== undefined) (window.cancelIdleCallback ?? clearTimeout)(handle);
  };
}
