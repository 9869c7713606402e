type Attributes = Record<string, string | boolean | number | undefined | ((event: Event) => void)>;

/**
 * Makes an element. Attributes of false or undefined are left out, true ones are empty, functions listen to the event of
 * their name. Children that are text become text and never markup.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** The outlines of the icons, on a grid of 24. Made for this chat. */
const paths = {
  chat: "M12 4.500c4.700 0 8.500 3.100 8.500 7s-3.800 7-8.500 7a10 10 0 0 1-3-.450L4.500 20l1-3.600a6.400 6.400 0 0 1-2-4.900c0-3.900 3.800-7 8.500-7z",
  down: "M6 9l6 6 6-6",
  close: "M6 6l12 12M18 6L6 18",
  send: "M12 19.500v-15M6 10.500l6-6 6 6",
  stop: "M7 7h10v10H7z",
  attach: "M19 11l-8 8a4.5 4.5 0 0 1-6.4-6.4l8.2-8.2a3 3 0 0 1 4.3 4.3l-8.2 8.2a1.5 1.5 0 0 1-2.1-2.1l7.4-7.4",
  microphone:
    "M12 15a3.5 3.5 0 0 0 3.5-3.5v-5a3.5 3.5 0 0 0-7 0v5A3.5 3.5 0 0 0 12 15zM5.5 11.500a6.5 6.5 0 0 0 13 0M12 18v3",
  listen: "M4 9.500h3.500L12 6v12l-4.500-3.500H4zM15.500 9a4.200 4.200 0 0 1 0 6M18 6.500a7.800 7.800 0 0 1 0 11",
  restart:
    "M12 4.500H6.500a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V12M10 14v-2.500l7.800-7.800a1.800 1.800 0 0 1 2.500 2.500L12.500 14z",
  copy: "M9 9h11v11H9zM15 5V4H4v11h1",
  done: "M5 12.500l4.500 4.500L19 7.500",
  tool: "M14.700 6.300a4 4 0 0 0-5.400 5.300L4 17v3h3l5.400-5.300a4 4 0 0 0 5.300-5.400L15 12l-3-3z",
  good: "M7 11v9H4v-9zM7 11l4-8a2.5 2.5 0 0 1 2.5 2.8L13 9h5.5a2 2 0 0 1 2 2.4l-1.3 7a2 2 0 0 1-2 1.6H7",
  bad: "M17 13V4h3v9zM17 13l-4 8a2.5 2.5 0 0 1-2.5-2.8L11 15H5.5a2 2 0 0 1-2-2.4l1.3-7a2 2 0 0 1 2-1.600H17",
} as const;

export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}

export type ButtonOptions = { label: string; icon: Icon; class?: string; onClick(event: Event): void };

/** A button with an icon; its label is its name and its hint. */
export function iconButton({ label, icon: name, onClick, class: className = "" }: ButtonOptions): HTMLButtonElement {
  const attributes = { type: "button", class: `icon ${className}`, "aria-label": label, title: label, click: onClick };
  return element("button", attributes, icon(name));
}
