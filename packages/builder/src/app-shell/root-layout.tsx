import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Outlet, useMatches, useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { nodeTypesQuery } from "../api/agents.ts";
import { queryClient, renewSession, signOut } from "../api/client.ts";
import { hasSession, isSessionEnded, onSessionEnd } from "../session/session.ts";
import { shellStrings } from "../strings.ts";
import { notifyFailed } from "../ui/page/notices.tsx";
import { Navigation, navigationEntries, PhoneBar, useAllowedEntries } from "./navigation.tsx";
import { hasItemsToFind } from "./page-actions.ts";
import classes from "./root-layout.module.css";

const renewalCheckMs = 60_000;
const standalonePaths = ["/sign-in", "/setup", "/join", "/welcome"];

/** The frame of every page: with the navigation once someone is signed in. */
export function RootLayout() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const fillsScreen = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fillsScreen) });
  const isSmall = useMediaQuery("(max-width: 1000px)", undefined, { getInitialValueInEffect: false });
  const isNarrow = fillsScreen || isSmall;
  const isAnswer = pathname.startsWith("/sign-in/");
  const standsAlone = isAnswer || standalonePaths.includes(pathname) || !hasSession();
  useRenewal();
  useCodeAhead(!standsAlone);
  if (standsAlone) return <Outlet />;
  return <SignedIn isNarrow={isNarrow} fillsScreen={fillsScreen} />;
}

type SignedInProps = { isNarrow: boolean; fillsScreen: boolean };

function SignedIn({ isNarrow, fillsScreen }: SignedInProps) {
  const [hasCommands, setCommands] = useState(false);
  const [hasNotices, setNotices] = useState(false);
  const isPhone = useMediaQuery("(max-width: 599px)", undefined, { getInitialValueInEffect: false });
  const hasEnded = useSyncExternalStore(onSessionEnd, isSessionEnded);
  useCommandKey(() => setCommands(true));
  const opening = { onSearch: () => setCommands(true), onNotices: () => setNotices(true) };
  return (
    <div
      className={classes.layout}
      data-narrow={isNarrow || undefined}
      data-phone={isPhone || undefined}
      data-fills-screen={fillsScreen || undefined}
    >
      <a href="#content" className={classes.skip}>
        {shellStrings.skipToContent}
      </a>
      {isPhone ? <PhoneBar {...opening} /> : <Navigation isNarrow={isNarrow} {...opening} />}
      {hasEnded && (
        <Suspense fallback={null}>
          <SignInAgain />
        </Suspense>
      )}
      {hasCommands && (
        <Suspense fallback={null}>
          <Commands onClose={() => setCommands(false)} />
        </Suspense>
      )}
      {hasNotices && (
        <Suspense fallback={null}>
          <NoticesPanel onClose={() => setNotices(false)} />
        </Suspense>
      )}
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
    </div>
  );
}

const SignInAgain = lazy(async () => ({ default: (await import("../session/sign-in-again.tsx")).SignInAgain }));
const NoticesPanel = lazy(async () => ({
  default: (await import("../notices/notices-panel.tsx")).NoticesPanel,
}));
const CommandMenu = lazy(async () => ({ default: (await import("./command-menu.tsx")).CommandMenu }));

/** ⌘K or Ctrl+K, anywhere: code editors would otherwise take the key. ⌘F or Ctrl+F outside them, on a canvas. */
function useCommandKey(open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      const key = event.key.toLowerCase();
      const isFind = key === "f" && hasItemsToFind() && !isWriting(event.target);
      if (key !== "k" && !isFind) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, [contenteditable=true]") !== null;
}

function Commands({ onClose }: { onClose(): void }) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const actions = [
    {
      label: isDark ? shellStrings.lightColours : shellStrings.darkColours,
      act: () => setColorScheme(isDark ? "light" : "dark"),
    },
    { label: shellStrings.documentation, act: () => void window.open("/docs", "_blank", "noreferrer") },
    { label: shellStrings.signOut, act: () => void signOut().catch(notifyFailed) },
  ];
  return <CommandMenu pages={useAllowedEntries()} actions={actions} onClose={onClose} />;
}

/** Renews the token in time, while the page is open and when it becomes visible again. */
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

/** Pages reached from other pages rather than from the navigation. */
const innerPages = ["/agents/$agentId", "/executions/$executionId"];

/**
 * Preloads the code of likely next pages, one at a time while the browser is idle, so that they open instantly. Waits
 * until the user is signed in, and respects data saving.
 */
function useCodeAhead(isSignedIn: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isSignedIn || savesData()) return undefined;
    const paths = new Set([...innerPages, ...navigationEntries.map(({ to }) => to)]);
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

/** Ignores errors: opening the page loads its code again and reports them. Returns a function that stops it. */
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
