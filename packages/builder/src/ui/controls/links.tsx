import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ArrowLeft } from "../../icons/icons.gen.ts";
import { type Labelled, pictureOf, type Rendered } from "./actions.tsx";

// Each takes what `Link` takes, and looks as its control does.

export const TextLink = createLink((props: Rendered<"a", AnchorProps> & { children?: ReactNode }) => (
  <Anchor size="sm" {...props} />
));

/** The way from a page to the one that it belongs to. */
export const BackLink = createLink(({ label, ...props }: Rendered<"a", AnchorProps> & Labelled) => (
  <Anchor size="sm" c="dimmed" {...props}>
    <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {label}
  </Anchor>
));

export const ActionLink = createLink(({ label, icon, ...props }: Rendered<"a", ButtonProps> & Labelled) => (
  <Button component="a" variant="default" leftSection={pictureOf(icon, props.size)} {...props}>
    {label}
  </Button>
));

export const MenuLink = createLink(({ label, icon: Icon, ...props }: Rendered<"a", MenuItemProps> & Labelled) => (
  <Menu.Item component="a" leftSection={Icon && <Icon size={16} aria-hidden />} {...props}>
    {label}
  </Menu.Item>
));
