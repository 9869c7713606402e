import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import { shellStrings } from "../strings/shell.ts";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import { Logo } from "./logo.tsx";
import classes from "./navigation.module.css";
import { type NavigationEntry, navigationGroups } from "./navigation-entries.ts";
import { SignOutButton } from "./sign-out-button.tsx";

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
