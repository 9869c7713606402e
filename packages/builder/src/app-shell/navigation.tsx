import {
  Modal,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ComponentType, useState } from "react";
import { signOut } from "../api/client.ts";
import { waitingCountQuery } from "../api/executions.ts";
import { useMay } from "../api/settings.ts";
import type { LucideIcon } from "../icons/create-icon.ts";
import {
  Activity,
  Bell,
  BookOpen,
  Bot,
  BrainCircuit,
  Coins,
  Ellipsis,
  History,
  House,
  Inbox,
  KeyRound,
  LibraryBig,
  LockKeyhole,
  LogOut,
  MessagesSquare,
  Moon,
  Search,
  Settings,
  Sun,
  UserRound,
  Users,
  Variable,
  Wrench,
} from "../icons/icons.gen.ts";
import { noticesQuery } from "../notices/queries.ts";
import { Logo } from "../session/standalone.tsx";
import { noticesStrings, shellStrings } from "../strings.ts";
import { notifyFailed } from "../ui/page/notices.tsx";
import phone from "./phone-bar.module.css";
import classes from "./root-layout.module.css";

type Opening = { onSearch(): void; onNotices(): void };

/** Links to all pages. Narrow: only icons, with their names as tooltips. */
export function Navigation({ isNarrow, onSearch, onNotices }: Opening & { isNarrow: boolean }) {
  return (
    <nav className={classes.navigation} data-narrow={isNarrow || undefined} aria-label={shellStrings.navigation}>
      <div className={classes.head}>
        <Link to="/" className={classes.brand} aria-label={shellStrings.product}>
          <Logo size={28} />
          <span className={classes.label}>{shellStrings.product}</span>
        </Link>
        {useMay()("executions:read") && <NoticesBell onClick={onNotices} />}
      </div>
      <Places isNarrow={isNarrow} onSearch={onSearch} />
    </nav>
  );
}

function NoticesBell({ onClick }: { onClick(): void }) {
  return (
    <Tooltip label={noticesStrings.title} position="right">
      <UnstyledButton className={classes.bell} onClick={onClick}>
        <Bell size={18} aria-hidden />
        <VisuallyHidden>{noticesStrings.title}</VisuallyHidden>
        <NoticeCount />
      </UnstyledButton>
    </Tooltip>
  );
}

/** Without `onNotices` the bell is elsewhere. */
type PlacesProps = Pick<Opening, "onSearch"> & { isNarrow: boolean; onNotices?: () => void };

function Places({ isNarrow, onSearch, onNotices }: PlacesProps) {
  const looks = { className: classes.link, labelClassName: classes.label, withTooltip: isNarrow };
  return (
    <>
      <NavigationButton
        {...looks}
        icon={Search}
        label={shellStrings.commands.open}
        keys={commandKey}
        onClick={onSearch}
      />
      {onNotices !== undefined && (
        <NavigationButton {...looks} icon={Bell} label={noticesStrings.title} badge={NoticeCount} onClick={onNotices} />
      )}
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
    </>
  );
}

/** What people look at on a phone; the last of five places has all others. */
const onPhone = ["/", "/agents", "/executions", "/inbox"];

/** The navigation of phones: a bar at the bottom, within reach of the thumb. */
export function PhoneBar({ onSearch, onNotices }: Opening) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const entries = useShownGroups().flatMap((group) => group.entries);
  return (
    <>
      <nav className={phone.bar} aria-label={shellStrings.navigation}>
        {onPhone.map((path) => {
          const entry = entries.find(({ to }) => to === path);
          return entry && <NavigationLink key={path} entry={entry} className={phone.place} withTooltip={false} />;
        })}
        <UnstyledButton
          className={phone.place}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <Ellipsis size={20} aria-hidden />
          <span>{shellStrings.more}</span>
        </UnstyledButton>
      </nav>
      <Modal opened={isOpen} onClose={close} fullScreen title={shellStrings.more}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: links and buttons report their keys as clicks. */}
        <div
          className={phone.sheet}
          onClick={({ target }) => {
            if ((target as Element).closest("a, button") !== null) close();
          }}
        >
          <Places isNarrow={false} onSearch={onSearch} {...(may("executions:read") && { onNotices })} />
        </div>
      </Modal>
    </>
  );
}

type NavigationLinkProps = { entry: NavigationEntry; withTooltip: boolean; className?: string | undefined };

function NavigationLink({ entry, withTooltip, className = classes.link }: NavigationLinkProps) {
  const { to, label, icon: Icon, badge: Badge } = entry;
  return (
    <Tooltip label={label} position="right" disabled={!withTooltip}>
      <Link to={to} className={className} activeOptions={{ exact: to === "/" }} activeProps={{ "data-active": true }}>
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
  return <Count count={count} text={shellStrings.inboxCount({ count })} />;
}

/** Number of open notices that the person has not seen; hidden while there are none. */
function NoticeCount() {
  const { unseen: count = 0 } = useQuery(noticesQuery).data ?? {};
  return <Count count={count} text={noticesStrings.unseen({ count })} />;
}

function Count({ count, text }: { count: number; text: string }) {
  if (count === 0) return null;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {count > 99 ? "99+" : count}
      </span>
      <VisuallyHidden>{text}</VisuallyHidden>
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
  badge?: ComponentType;
  onClick: () => void;
};

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

function NavigationButton({
  icon: Icon,
  label,
  keys,
  badge: Badge,
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
        {Badge !== undefined && <Badge />}
      </UnstyledButton>
    </Tooltip>
  );
}

/**
 * `needs`: the permission without which the page shows nothing. `within`: the page that leads to it, for those who may
 * see that one.
 */
type NavigationEntry = {
  to: string;
  label: string;
  icon: LucideIcon;
  needs?: string;
  within?: string;
  badge?: ComponentType;
};

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
      { to: "/conversations", label: shellStrings.conversations, icon: MessagesSquare, needs: "messages:read" },
      { to: "/executions", label: shellStrings.executions, icon: History },
      { to: "/inbox", label: shellStrings.inbox, icon: Inbox, needs: "executions:write", badge: InboxCount },
    ],
  },
  {
    name: shellStrings.groups.connect,
    entries: [
      { to: "/models", label: shellStrings.models, icon: BrainCircuit, needs: "credentials:read" },
      { to: "/prices", label: shellStrings.prices, icon: Coins, within: "/models" },
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

export const navigationEntries: readonly NavigationEntry[] = navigationGroups.flatMap(({ entries }) => entries);

/** The places that the signed-in person may see. */
export function useAllowedEntries(): readonly NavigationEntry[] {
  const may = useMay();
  return navigationEntries.filter(({ needs }) => needs === undefined || may(needs));
}

/** Those of them that no other of them leads to. */
function useShownGroups(): readonly NavigationGroup[] {
  const allowed = useAllowedEntries();
  const paths = new Set(allowed.map(({ to }) => to));
  const isShown = (entry: NavigationEntry) => allowed.includes(entry) && !paths.has(entry.within ?? "");
  const shown = navigationGroups.map(({ name, entries }) => ({ name, entries: entries.filter(isShown) }));
  return shown.filter(({ entries }) => entries.length > 0);
}
