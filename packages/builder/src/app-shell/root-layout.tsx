import { useMediaQuery } from "@mantine/hooks";
import { Outlet, useMatches, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { nodeTypesQuery } from "../api/catalogue.ts";
import { queryClient } from "../api/query-client.ts";
import { getToken } from "../api/session.ts";
import { renewSession } from "../session/renew-session.ts";
import { shellStrings } from "../strings/shell.ts";
import { Navigation } from "./navigation.tsx";
import { navigationGroups } from "./navigation-entries.ts";
import classes from "./root-layout.module.css";

const renewalCheckMs = 60_000;
const standalonePaths = ["/sign-in", "/setup", "/welcome"];

/** Every page: beside the navigation once someone is signed in. */
export function RootLayout() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const fillsScreen = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fillsScreen) });
  const isSmall = useMediaQuery("(max-width: 1000px)", undefined, { getInitialValueInEffect: false });
  const isNarrow = fillsScreen || isSmall;
  const standsAlone = standalonePaths.includes(pathname) || getToken() === undefined;
  useRenewal();
  useCodeAhead(!standsAlone);
  if (standsAlone) return <Outlet />;
  return (
    <div className={classes.layout} data-narrow={isNarrow || undefined} data-fills-screen={fillsScreen || undefined}>
      <a href="#content" className={classes.skip}>
        {shellStrings.skipToContent}
      </a>
      <Navigation isNarrow={isNarrow} />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
    </div>
  );
}

/** Exchanges the token for a new one in time, while the page is open and when it comes back to the front. */
function useRenewal(): void {
  useEffect(() => {
    const renew = () => void renewSession();
    renew();
    const timer = setInterval(renew, renewalCheckMs);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, []);
}

/** Pages that are gone to from others; the rest is in the navigation. */
const innerPages = ["/agents/$agentId", "/executions/$executionId"];

/**
 * Loads the code of the pages that one may go to next, one after the other while there is nothing else to do, so that
 * they open at once. Not before somebody is signed in, and not for who saves data.
 */
function useCodeAhead(isSignedIn: boolean): void {
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
