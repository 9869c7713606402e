import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { commonStrings } from "./strings.ts";

declare module "react" {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}

/** The one accent. White on shade 6 has a contrast of 5.6 : 1. */
const iris: MantineColorsTuple = [
  "#f4f4fe",
  "#e6e6fb",
  "#cdcdf6",
  "#b1b1f0",
  "#9393e8",
  "#7575df",
  "#5b5bd6",
  "#4c4cbb",
  "#3d3d99",
  "#2d2d73",
];

/** Cool neutrals; from 6 on readable as text on white and on shade 1. */
const gray: MantineColorsTuple = [
  "#f9fafb",
  "#f3f4f6",
  "#e8eaed",
  "#dcdfe4",
  "#c6cad1",
  "#8b919d",
  "#5c636f",
  "#434953",
  "#2b3038",
  "#16191d",
];

/** Text, dimmed text, and downwards to the grounds: 6 is raised, 7 a panel, 8 the page. */
const dark: MantineColorsTuple = [
  "#e6e8eb",
  "#c3c7ce",
  "#a1a6b0",
  "#7a808c",
  "#414751",
  "#2e333b",
  "#22262c",
  "#181b20",
  "#0e1013",
  "#08090b",
];

/** Both come with the application: see `fonts.css`. */
const fontFamily = '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const fontFamilyMonospace = '"JetBrains Mono Variable", ui-monospace, "SF Mono", Menlo, Consolas, monospace';

/** Controls have the small radius, surfaces the large one. */
const radius = { xs: "6px", sm: "6px", md: "6px", lg: "10px", xl: "10px" };

/** Of everything that is raised, in both schemes. */
const shadow = "var(--weft-shadow)";

/** Menus, dialogs and panels come and go within this time. */
const transitionMs = 140;
const transition = { transitionProps: { duration: transitionMs } };

/** The cross in the corner of a dialog has no words. */
const closeButton = { closeButtonProps: { "aria-label": commonStrings.close } };

export const theme = createTheme({
  colors: { iris, gray, dark },
  primaryColor: "iris",
  primaryShade: 6,
  defaultRadius: "md",
  radius,
  shadows: { xs: shadow, sm: shadow, md: shadow, lg: shadow, xl: shadow },
  fontFamily,
  fontFamilyMonospace,
  // The text of the interface is `sm`: 13 px where nobody has chosen another size in the browser.
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontFamily,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.4" },
      h2: { fontSize: "0.9375rem", lineHeight: "1.45" },
      h3: { fontSize: "0.875rem", lineHeight: "1.45" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: "none", fw: 500, radius: "sm" } },
    Button: { defaultProps: { size: "sm" } },
    Drawer: { defaultProps: closeButton },
    Menu: { defaultProps: { radius: "lg", shadow: "md", ...transition } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        overlayProps: { backgroundOpacity: 0.45 },
        ...transition,
        ...closeButton,
      },
    },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { "aria-label": commonStrings.showPassword } } },
    Popover: { defaultProps: { radius: "lg", shadow: "md", ...transition } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
  },
});

/** Text on the tinted grounds of badges and notices, dark enough for 4.5 : 1. */
const tintedText = {
  "--mantine-color-blue-light-color": "#1759a0",
  "--mantine-color-gray-light-color": "var(--mantine-color-gray-7)",
  "--mantine-color-green-light-color": "#1c6b2f",
  "--mantine-color-iris-light-color": "var(--mantine-color-iris-7)",
  "--mantine-color-orange-light-color": "#a83400",
  "--mantine-color-red-light-color": "#b02525",
  "--mantine-color-teal-light-color": "#056348",
  "--mantine-color-yellow-light-color": "#7a4d00",
};

/** Grounds of buttons that delete: white on them has a contrast of 5.6 : 1. */
const filled = { "--mantine-color-red-filled": "#c92a2a", "--mantine-color-red-filled-hover": "#b02525" };

/** The families of node types, the same on cards, in pickers and in traces. At least 4.5 : 1 on every ground. */
const families = {
  light: {
    "--weft-family-start": "#1a7a43",
    "--weft-family-model": "#5b5bd6",
    "--weft-family-action": "#0a7193",
    "--weft-family-logic": "#b3541e",
    "--weft-family-answer": "#a8327d",
    "--weft-family-note": "#856600",
    "--weft-family-other": "#5c636f",
  },
  dark: {
    "--weft-family-start": "#58c98a",
    "--weft-family-model": "#a3a3f5",
    "--weft-family-action": "#5cc4e3",
    "--weft-family-logic": "#f0a070",
    "--weft-family-answer": "#ec8fc8",
    "--weft-family-note": "#e0c060",
    "--weft-family-other": "#a1a6b0",
  },
};

/** Colours of text that Mantine draws too faint for WCAG 2.2 AA, and the grounds of this application. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "var(--mantine-color-gray-9)",
    "--mantine-color-dimmed": "var(--mantine-color-gray-6)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-6)",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-anchor": "var(--mantine-color-iris-7)",
    ...tintedText,
    ...filled,
    "--mantine-color-red-light": "#fdeeee",
    "--mantine-color-red-light-hover": "#fbdfdf",
    "--mantine-color-yellow-light": "#fff6e0",
    "--mantine-color-yellow-light-hover": "#ffecc0",
    "--mantine-color-iris-light": "var(--mantine-color-iris-0)",
    "--mantine-color-iris-light-hover": "var(--mantine-color-iris-1)",
    "--mantine-color-body": "#ffffff",
    "--weft-ground": "#f6f7f9",
    "--weft-surface": "#ffffff",
    "--weft-raised": "#ffffff",
    "--weft-shadow": "0 1px 2px rgb(22 25 29 / 7%), 0 6px 16px -4px rgb(22 25 29 / 12%)",
    "--weft-border": "#e4e6ea",
    "--weft-border-strong": "#c9cdd4",
    "--weft-hover": "var(--mantine-color-gray-1)",
    "--weft-accent": "var(--mantine-color-iris-6)",
    "--weft-selected": "#eeeefc",
    "--weft-selected-text": "var(--mantine-color-iris-7)",
    "--weft-scrollbar": "#c4c8d0",
    "--weft-edge": "#a3aab7",
    "--weft-way": "#1f8a4c",
    ...families.light,
  },
  dark: {
    "--mantine-color-text": "var(--mantine-color-dark-0)",
    "--mantine-color-dimmed": "var(--mantine-color-dark-2)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-2)",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-anchor": "var(--mantine-color-iris-3)",
    ...filled,
    "--mantine-color-gray-light": "var(--mantine-color-dark-5)",
    "--mantine-color-gray-light-hover": "#383d46",
    "--mantine-color-gray-light-color": "var(--mantine-color-dark-1)",
    "--mantine-color-red-light": "#391b1d",
    "--mantine-color-red-light-hover": "#482225",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-yellow-light": "#332808",
    "--mantine-color-yellow-light-hover": "#42340c",
    "--mantine-color-yellow-light-color": "#ffd43b",
    "--mantine-color-iris-light": "#25253f",
    "--mantine-color-iris-light-hover": "#2f2f50",
    "--mantine-color-iris-light-color": "var(--mantine-color-iris-2)",
    "--mantine-color-body": "var(--mantine-color-dark-7)",
    "--weft-ground": "var(--mantine-color-dark-8)",
    "--weft-surface": "var(--mantine-color-dark-7)",
    "--weft-raised": "var(--mantine-color-dark-6)",
    // A shadow is lost on black: an edge of light says the same.
    "--weft-shadow": "inset 0 1px rgb(255 255 255 / 5%), 0 8px 20px -4px rgb(0 0 0 / 60%)",
    "--weft-border": "#2a2e35",
    "--weft-border-strong": "var(--mantine-color-dark-4)",
    "--weft-hover": "#282c33",
    "--weft-accent": "var(--mantine-color-iris-4)",
    "--weft-selected": "#272745",
    "--weft-selected-text": "var(--mantine-color-iris-2)",
    "--weft-scrollbar": "#454b55",
    "--weft-edge": "#6b7380",
    "--weft-way": "#58c98a",
    ...families.dark,
  },
});
