import { Tooltip, UnstyledButton, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatches, useRouter, useRouterState } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { nodeTypesQuery } from "../api/agents.ts";
import { queryClient, renewSession, signOut } from "../api/client.ts";
import { waitingCountQuery } from "../api/executions.ts";
import { useMay } from "../api/settings.ts";
import type { LucideIcon } from "../icons/create-icon.ts";
import {
  Activity,
  BookOpen,
  Bot,
  BrainCircuit,
  Coins,
  History,
  House,
  Inbox,
  KeyRound,
  LibraryBig,
  LockKeyhole,
  LogOut,
  Moon,
  Search,
  Settings,
  Sun,
  UserRound,
  Users,
  Variable,
  Wrench,
} from "../icons/icons.gen.ts";
import { hasSession, isSessionEnded, onSessionEnd } from "../session/session.ts";
import { Logo } from "../session/standalone.tsx";
import { shellStrings } from "../strings.ts";
import { notifyFailed } from "../ui/page/notices.tsx";
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
  const standsAlone = standalonePaths.includes(pathname) || !hasSession();
  useRenewal();
  useCodeAhead(!standsAlone);
  if (standsAlone) return <Outlet />;
  return <SignedIn isNarrow={isNarrow} fillsScreen={fillsScreen} />;
}

type SignedInProps = { isNarrow: boolean; fillsScreen: boolean };

function SignedIn({ isNarrow, fillsScreen }: SignedInProps) {
  const [hasCommands, setCommands] = useState(false);
  const hasEnded = useSyncExternalStore(onSessionEnd, isSessionEnded);
  useCommandKey(() => setCommands(true));
  return (
    <div className={classes.layout} data-narrow={isNarrow || undefined} data-fills-screen={fillsScreen || undefined}>
      <a href="#content" className={classes.skip}>
        {shellStrings.skipToContent}
      </a>
      <Navigation isNarrow={isNarrow} onSearch={() => setCommands(true)} />
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
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
    </div>
  );
}

const SignInAgain = lazy(async () => ({ default: (await import("../session/sign-in-again.tsx")).SignInAgain }));
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
  const pages = useShownGroups().flatMap(({ entries }) => entries);
  return <CommandMenu pages={pages} actions={actions} onClose={onClose} />;
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

/** Links to all pages. Narrow: only icons, with their names as tooltips. */
function Navigation({ isNarrow, onSearch }: { isNarrow: boolean; onSearch(): void }) {
  const looks = { className: classes.link, labelClassName: classes.label, withTooltip: isNarrow };
  return (
    <nav className={classes.navigation} data-narrow={isNarrow || undefined} aria-label={shellStrings.navigation}>
      <Link to="/" className={classes.brand} aria-label={shellStrings.product}>
        <Logo size={28} />
        <span className={classes.label}>{shellStrings.product}</span>
      </Link>
      <NavigationButton
        {...looks}
        icon={Search}
        label={shellStrings.commands.open}
        keys={commandKey}
        onClick={onSearch}
      />
      <div className={classes.groups}>
        {useShownGroups().map(({ name, entries }) => (
          <div key={name} className={classes.group}>
            <span className={classes.groupName} aria-hidden>
              {name}
            </span>
            <ul aria-label={name}>
              {entries.map((entry) => (
                <li key={entry.to}>
                  <NavigationLink entry={entry} withTooltip={isNarrow} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        <Tooltip label={shellStrings.documentation} position="right" disabled={!isNarrow}>
          <a href="/docs" target="_blank" rel="noreferrer" className={classes.link}>
            <BookOpen size={18} aria-hidden />
            <span className={classes.label}>{shellStrings.documentation}</span>
          </a>
        </Tooltip>
        <ColorSchemeToggle {...looks} />
        <SignOutButton {...looks} />
      </div>
    </nav>
  );
}

type NavigationLinkProps = { entry: NavigationEntry; withTooltip: boolean };

function NavigationLink({ entry: { to, label, icon: Icon, badge: Badge }, withTooltip }: NavigationLinkProps) {
  return (
    <Tooltip label={label} position="right" disabled={!withTooltip}>
      <Link
        to={to}
        className={classes.link}
        activeOptions={{ exact: to === "/" }}
        activeProps={{ "data-active": true }}
      >
        <Icon size={18} aria-hidden />
        <span className={classes.label}>{label}</span>
        {Badge !== undefined && <Badge />}
      </Link>
    </Tooltip>
  );
}

/** Number of runs waiting for a person; hidden while there are none. */
function InboxCount() {
  const { data: count = 0 } = useQuery(waitingCountQuery);
  if (count === 0) return null;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {count > 99 ? "99+" : count}
      </span>
      <VisuallyHidden>{shellStrings.inboxCount({ count })}</VisuallyHidden>
    </>
  );
}

function SignOutButton(looks: NavigationLooks) {
  return (
    <NavigationButton
      {...looks}
      icon={LogOut}
      label={shellStrings.signOut}
      onClick={() => void signOut().catch(notifyFailed)}
    />
  );
}

/** Switches between light and dark. Follows the system's setting until first used. */
function ColorSchemeToggle(looks: NavigationLooks) {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  return (
    <NavigationButton
      {...looks}
      icon={isDark ? Sun : Moon}
      label={isDark ? shellStrings.lightColours : shellStrings.darkColours}
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
    />
  );
}

/** Presentation of a navigation entry: its class, that of its name, and whether the name is a tooltip. */
type NavigationLooks = {
  className: string | undefined;
  labelClassName: string | undefined;
  withTooltip: boolean;
};

type NavigationButtonProps = NavigationLooks & {
  icon: LucideIcon;
  label: string;
  keys?: string;
  onClick: () => void;
};

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

function NavigationButton({
  icon: Icon,
  label,
  keys,
  onClick,
  className,
  labelClassName,
  withTooltip,
}: NavigationButtonProps) {
  return (
    <Tooltip label={label} position="right" disabled={!withTooltip}>
      <UnstyledButton className={className} onClick={onClick}>
        <Icon size={18} aria-hidden />
        <span className={labelClassName}>{label}</span>
        {keys !== undefined && !withTooltip && <kbd className={classes.keys}>{keys}</kbd>}
      </UnstyledButton>
    </Tooltip>
  );
}

/** `needs`: the permission without which the page shows nothing. */
type NavigationEntry = { to: string; label: string; icon: LucideIcon; needs?: string; badge?: ComponentType };

type NavigationGroup = { name: string; entries: readonly NavigationEntry[] };

/** The navigation, in named groups; one line per page. */
const navigationGroups: readonly NavigationGroup[] = [
  {
    name: shellStrings.groups.build,
    entries: [
      { to: "/agents", label: shellStrings.agents, icon: Bot },
      { to: "/assistants", label: shellStrings.assistants, icon: UserRound },
      { to: "/document-stores", label: shellStrings.documentStores, icon: LibraryBig },
      { to: "/tools", label: shellStrings.tools, icon: Wrench },
    ],
  },
  {
    name: shellStrings.groups.watch,
    entries: [
      { to: "/", label: shellStrings.home, icon: House },
      { to: "/executions", label: shellStrings.executions, icon: History },
      { to: "/inbox", label: shellStrings.inbox, icon: Inbox, needs: "executions:write", badge: InboxCount },
    ],
  },
  {
    name: shellStrings.groups.connect,
    entries: [
      { to: "/models", label: shellStrings.models, icon: BrainCircuit, needs: "credentials:read" },
      { to: "/prices", label: shellStrings.prices, icon: Coins },
      { to: "/credentials", label: shellStrings.credentials, icon: LockKeyhole, needs: "credentials:read" },
      { to: "/variables", label: shellStrings.variables, icon: Variable },
      { to: "/api-keys", label: shellStrings.apiKeys, icon: KeyRound, needs: "apikeys:read" },
    ],
  },
  {
    name: shellStrings.groups.manage,
    entries: [
      { to: "/people", label: shellStrings.people, icon: Users, needs: "people:read" },
      { to: "/system", label: shellStrings.system, icon: Activity, needs: "server:read" },
      { to: "/settings", label: shellStrings.settings, icon: Settings },
    ],
  },
];

const navigationEntries = navigationGroups.flatMap(({ entries }) => entries);

/** The places that the signed-in person may see. */
function useShownGroups(): readonly NavigationGroup[] {
  const may = useMay();
  const shown = navigationGroups.map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ needs }) => needs === undefined || may(needs)),
  }));
  return shown.filter(({ entries }) => entries.length > 0);
}
