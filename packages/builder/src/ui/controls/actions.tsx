import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  Tooltip,
} from "@mantine/core";
import type { ComponentPropsWithRef, ReactNode } from "react";
import type { LucideIcon } from "../../icons/create-icon.ts";

/** The props of a component of Mantine's that renders such an element. */
export type Rendered<Tag extends "a" | "button", Props> = Props &
  Omit<ComponentPropsWithRef<Tag>, keyof Props | "children">;

export type Labelled = { label: ReactNode; icon?: LucideIcon };

type ActionProps = Rendered<"button", ButtonProps> &
  Labelled & {
    /** The request that a click sends. Until it is answered the button says so, and takes no other click. */
    runs?: { isPending: boolean; mutate(): void };
  };

/** A button with its words and, before them, a picture. The main one of its place is `filled`. */
export function Action({ label, icon, runs, ...props }: ActionProps) {
  return (
    <Button
      variant="default"
      leftSection={pictureOf(icon, props.size)}
      {...props}
      {...(runs && { loading: runs.isPending, onClick: () => runs.mutate() })}
    >
      {label}
    </Button>
  );
}

/** The picture before the words of a button: smaller on a small one. */
export function pictureOf(Icon: LucideIcon | undefined, size: ButtonProps["size"]): ReactNode {
  return Icon && <Icon size={size === undefined ? 16 : 14} aria-hidden />;
}

type IconActionProps = Rendered<"button", Omit<ActionIconProps, "size">> & {
  icon: LucideIcon;
  label: string;
  /** Of the button and of its picture, in pixels. Default 32, and a picture that fits. */
  size?: number;
  iconSize?: number;
  /** What is said beside the pointer: the label, or more than that. Default: nothing. */
  tip?: boolean | string;
  /** Whether what it turns on is on. */
  isOn?: boolean | undefined;
};

/** A button that is a picture; its label is for those who do not see it, and with a tip for all. */
export function IconAction({ icon: Icon, label, size = 32, tip = false, isOn, ...props }: IconActionProps) {
  const { iconSize = size > 28 ? 18 : 14, ...others } = props;
  return (
    <Tooltip label={tip === true ? label : tip} disabled={!tip}>
      <ActionIcon
        variant={isOn ? "light" : "subtle"}
        color={isOn ? "iris" : "gray"}
        size={size}
        aria-label={label}
        aria-pressed={isOn}
        {...others}
      >
        <Icon size={iconSize} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

type MenuActionProps = Rendered<"button", MenuItemProps> & Labelled & { isDanger?: boolean };

/** An entry of a menu. `isDanger`: it deletes something. */
export function MenuAction({ label, icon: Icon, isDanger = false, ...props }: MenuActionProps) {
  return (
    <Menu.Item
      leftSection={Icon && <Icon size={16} aria-hidden />}
      {...(isDanger && { c: "var(--mantine-color-error)" })}
      {...props}
    >
      {label}
    </Menu.Item>
  );
}
