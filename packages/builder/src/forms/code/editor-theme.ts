import { EditorView } from "@codemirror/view";

/** The editor inside of the frame that its module's CSS draws: colours of the application, in both schemes. */
export const editorTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--mantine-color-text)", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--editor-font)",
    lineHeight: "20px",
    overflow: "auto",
    minHeight: "var(--editor-min)",
    maxHeight: "var(--editor-max)",
  },
  ".cm-content": { padding: "var(--editor-padding) 0", caretColor: "var(--mantine-color-text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--mantine-color-placeholder)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    color: "var(--mantine-color-dimmed)",
    border: "none",
    fontSize: "12px",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--mantine-color-iris-5) 30%, transparent) !important",
  },
  ".cm-matchingBracket": {
    backgroundColor: "var(--weft-selected) !important",
    outline: "1px solid var(--weft-border-strong)",
  },
  ".cm-reference": {
    borderRadius: "4px",
    backgroundColor: "var(--weft-selected)",
    color: "var(--weft-selected-text)",
    padding: "1px 2px",
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "12px",
  },
  ".cm-reference-unknown": {
    borderRadius: "4px",
    color: "var(--mantine-color-error)",
    textDecoration: "underline wavy",
    textUnderlineOffset: "3px",
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "12px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--weft-border)",
    borderRadius: "8px",
    backgroundColor: "var(--weft-surface)",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
    zIndex: "400",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mantine-font-family)", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "5px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--weft-selected)",
    color: "var(--weft-selected-text)",
  },
  ".cm-completionLabel": { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "12px" },
  ".cm-completionDetail": { color: "var(--mantine-color-dimmed)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-tooltip-lint .cm-diagnostic": { borderLeftColor: "var(--mantine-color-error)" },
});
