import { type ComponentType, createElement, type ReactNode, type SVGProps } from "react";

type IconProps = SVGProps<SVGSVGElement> & {
  /** Width and height, in pixels or with a unit. Default: 24. */
  size?: number | string;
};

export type LucideIcon = ComponentType<IconProps>;

/** Element and attributes of each line. */
type Drawing = readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];

/** A component that draws an icon of Lucide's, as its package does: hidden from screen readers unless it has a name. */
export function createIcon(name: string, drawing: Drawing): LucideIcon {
  const lines = drawing.map(([element, attributes], key) => createElement(element, { key, ...attributes }));
  return Object.assign((props: IconProps) => drawIcon(name, lines, props), { displayName: name });
}

function drawIcon(name: string, lines: readonly ReactNode[], props: IconProps) {
  const { size = 24, color = "currentColor", strokeWidth = 2, className, children, ...others } = props;
  const isNamed = children || Object.keys(others).some((prop) => /^(aria-.*|role|title)$/.test(prop));
  const look = {
    xmlns: "http://www.w3.org/2000/svg",
    width: size,
    height: size,
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: color,
    strokeWidth,
    strokeLinecap: "round",
    strokeLinejoin: "round",
    className: ["lucide", `lucide-${name}`, className].filter(Boolean).join(" "),
    "aria-hidden": isNamed ? undefined : true,
  } as const;
  return createElement("svg", { ...look, ...others }, ...lines, children);
}
