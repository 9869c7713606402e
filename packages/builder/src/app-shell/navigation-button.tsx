import { Tooltip, UnstyledButton } from "@mantine/core";
import type { LucideIcon } from "lucide-react";

/** How something in the navigation looks: its own class, that of its name, and whether the name is a tooltip. */
export type NavigationLooks = {
  className: string | undefined;
  labelClassName: string | undefined;
  withTooltip: boolean;
};

type Props = NavigationLooks & { icon: LucideIcon; label: string; onClick: () => void };

export function NavigationButton({ icon: Icon, label, onClick, className, labelClassName, withTooltip }: Props) {
  return (
    <Tooltip label={label} position="right" disabled={!withTooltip}>
      <UnstyledButton className={className} onClick={onClick}>
        <Icon size={18} aria-hidden />
        <span className={labelClassName}>{label}</span>
      </UnstyledButton>
    </Tooltip>
  );
}
