import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

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

/** Text, dimmed text, and downwards to the ground; 7 is the page, 6 what stands on it. */
const dark: MantineColorsTuple = [
  "#e6e8eb",
  "#c3c7ce",
  "#a1a6b0",
  "#7a808c",
  "#3b4048",
  "#2c3037",
  "#1e2126",
  "#15171b",
  "#101215",
  "#0b0c0e",
];

const fontFamily = 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const fontFamilyMonospace = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace';

export const theme = createTheme({
  colors: { iris, gray, dark },
  primaryColor: "iris",
  primaryShade: 6,
  defaultRadius: "md",
  fontFamily,
  fontFamilyMonospace,
  headings: {
    fontFamily,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.35" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: "none", fw: 500 } },
    Button: { defaultProps: { size: "sm" } },
    Modal: { defaultProps: { centered: true, radius: "lg", overlayProps: { backgroundOpacity: 0.45 } } },
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
    "--mantine-color-yellow-light": "#fff6e0",
    "--mantine-color-iris-light": "var(--mantine-color-iris-0)",
    "--weft-ground": "var(--mantine-color-gray-0)",
    "--weft-surface": "#ffffff",
    "--weft-border": "var(--mantine-color-gray-2)",
    "--weft-border-strong": "var(--mantine-color-gray-4)",
    "--weft-hover": "var(--mantine-color-gray-1)",
    "--weft-selected": "var(--mantine-color-iris-0)",
    "--weft-selected-text": "var(--mantine-color-iris-7)",
  },
  dark: {
    "--mantine-color-text": "var(--mantine-color-dark-0)",
    "--mantine-color-dimmed": "var(--mantine-color-dark-2)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-2)",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-anchor": "var(--mantine-color-iris-3)",
    ...filled,
    "--mantine-color-gray-light": "var(--mantine-color-dark-5)",
    "--mantine-color-gray-light-color": "var(--mantine-color-dark-1)",
    "--mantine-color-red-light": "#391b1d",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-yellow-light": "#332808",
    "--mantine-color-yellow-light-color": "#ffd43b",
    "--mantine-color-iris-light": "#25253f",
    "--mantine-color-iris-light-color": "var(--mantine-color-iris-2)",
    "--weft-ground": "var(--mantine-color-dark-7)",
    "--weft-surface": "#1a1c20",
    "--weft-border": "var(--mantine-color-dark-5)",
    "--weft-border-strong": "var(--mantine-color-dark-4)",
    "--weft-hover": "#24272d",
    "--weft-selected": "#25253f",
    "--weft-selected-text": "var(--mantine-color-iris-2)",
  },
});
