import { Tooltip, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { BookOpen, LogOut, type LucideIcon, Moon, Sun } from "lucide-react";
import { signOut } from "../session/sign-out.ts";
import { shellStrings } from "../strings/shell.ts";
import { Logo } from "./logo.tsx";
import classes from "./navigation.module.css";
import { type NavigationEntry, navigationGroups } from "./navigation-entries.ts";

/** The way to every page. Narrow: icons alone, with their names as tooltips. */
export function Navigation({ isNarrow }: { isNarrow: boolean }) {
  const looks = { className: classes.link, labelClassName: classes.label, withTooltip: isNarrow };
  return (
    <nav className={classes.navigation} data-narrow={isNarrow || undefined} aria-label={shellStrings.navigation}>
      <Link to="/agents" className={classes.brand} aria-label={shellStrings.product}>
        <Logo size={28} />
        <span className={classes.label}>{shellStrings.product}</span>
      </Link>
      <div className={classes.groups}>
        {navigationGroups.map((entries) => (
          <ul key={entries[0]?.to} className={classes.group}>
            {entries.map((entry) => (
              <li key={entry.to}>
                <NavigationLink entry={entry} withTooltip={isNarrow} />
              </li>
            ))}
          </ul>
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

function NavigationLink({ entry: { to, label, icon: Icon }, withTooltip }: NavigationLinkProps) {
  return (
    <Tooltip label={label} position="right" disabled={!withTooltip}>
      <Link to={to} className={classes.link} activeProps={{ "data-active": true }}>
        <Icon size={18} aria-hidden />
        <span className={classes.label}>{label}</span>
      </Link>
    </Tooltip>
  );
}

function SignOutButton(looks: NavigationLooks) {
  return <NavigationButton {...looks} icon={LogOut} label={shellStrings.signOut} onClick={() => void signOut()} />;
}

/** Changes between light and dark. Until it is used the system's choice holds. */
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

/** How something in the navigation looks: its own class, that of its name, and whether the name is a tooltip. */
type NavigationLooks = {
  className: string | undefined;
  labelClassName: string | undefined;
  withTooltip: boolean;
};

type NavigationButtonProps = NavigationLooks & { icon: LucideIcon; label: string; onClick: () => void };

function NavigationButton({
  icon: Icon,
  label,
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
      </UnstyledButton>
    </Tooltip>
  );
}
