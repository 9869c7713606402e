import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import classes from "./status-badge.module.css";

/** `busy` turns its sign. */
export type StatusTone = "plain" | "good" | "attention" | "bad" | "busy";

type Props = ComponentPropsWithRef<"span"> & { tone: StatusTone; icon: LucideIcon };

/** A state shown by colour, icon and text. */
export function StatusBadge({ tone, icon: Icon, children, ...props }: Props) {
  return (
    <span {...props} className={classes.badge} data-tone={tone}>
      <Icon size={14} aria-hidden className={classes.icon} />
      {children}
    </span>
  );
}
