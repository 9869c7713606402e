/** Of the shadow root. Variables of the theme are `--weft-…`; each has a value of ours for both schemes. */
export const styles = `
:host { all: initial; color-scheme: light dark; }
:host, .frame {
  --ground: var(--weft-window, light-dark(#ffffff, #17191d));
  --text: var(--weft-window-text, light-dark(#1c2024, #eceef2));
  --dim: light-dark(#5a626c, #a4adb9);
  --line: light-dark(#d9dde3, #3a4049);
  --accent: var(--weft-bubble, light-dark(#1f5fd0, #7aa7ff));
  --accent-text: var(--weft-bubble-text, light-dark(#ffffff, #0c1220));
  --danger: light-dark(#b42318, #ff9d92);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame { display: flex; flex-direction: column; height: 100%; overflow: hidden; background: var(--ground); color: var(--text);
  font: var(--weft-font-size, 15px)/1.5 Inter, system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; text-align: start; }
button, input, textarea, select { font: inherit; color: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; opacity: 0.55; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; display: block; }
h1, h2, p, ul, ol, pre, blockquote { margin: 0; }
.icon { display: grid; place-items: center; flex: none; width: 36px; height: 36px; padding: 0; border: 0; border-radius: 8px; background: none; color: inherit; }
.icon:hover:not(:disabled) { background: color-mix(in srgb, currentColor 12%, transparent); }
.header { display: flex; align-items: center; gap: 10px; padding: 10px 12px 10px 16px; border-bottom: 1px solid var(--line);
  background: var(--weft-title, transparent); color: var(--weft-title-text, inherit); }
.header h1 { flex: 1; font-size: 1em; font-weight: 600; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.header img { width: 28px; height: 28px; border-radius: 50%; object-fit: cover; }
.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 16px; scrollbar-width: thin; background-size: cover; background-position: center; }
.column { display: flex; flex-direction: column; gap: 12px; max-width: 760px; margin: 0 auto; min-height: 100%; }
.turn { display: flex; flex-direction: column; gap: 8px; }
.question, .answer { max-width: min(85%, 620px); padding: 9px 13px; border-radius: 14px; }
.question { align-self: flex-end; white-space: pre-wrap; border-bottom-right-radius: 4px;
  background: var(--weft-question, light-dark(#1f5fd0, #27508f)); color: var(--weft-question-text, #ffffff); }
.answer { align-self: flex-start; border-bottom-left-radius: 4px;
  background: var(--weft-answer, light-dark(#f0f2f5, #23272e)); color: var(--weft-answer-text, inherit); }
.body { display: flex; flex-direction: column; gap: 8px; }
.with-avatar { display: flex; gap: 8px; align-items: flex-end; }
.with-avatar.mine { justify-content: flex-end; }
.with-avatar img { width: 26px; height: 26px; border-radius: 50%; object-fit: cover; flex: none; }
.body a { color: inherit; text-underline-offset: 2px; }
.body ul, .body ol { padding-inline-start: 1.4em; }
.body .heading { font-weight: 600; }
.body pre, .body .table { overflow-x: auto; }
.body pre { padding: 10px; border-radius: 8px; background: color-mix(in srgb, currentColor 8%, transparent); white-space: pre; }
code { font: 0.92em/1.5 "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; }
.body blockquote { padding-inline-start: 10px; border-inline-start: 3px solid color-mix(in srgb, currentColor 30%, transparent); }
.body table { border-collapse: collapse; }
.body th, .body td { padding: 4px 8px; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; }
.body hr { width: 100%; border: 0; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.sources { margin-top: 4px; font-size: 0.93em; }
.sources summary { cursor: pointer; padding: 2px 0; }
.sources ol { display: flex; flex-direction: column; gap: 4px; padding-top: 4px; }
.sources .uncitable { list-style: none; }
.sources .opened .passage p:first-child { background: color-mix(in srgb, #f5c400 28%, transparent); box-decoration-break: clone; }
.citation { display: inline-block; min-width: 1.7em; margin: 0 1px; padding: 0 0.4em; border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: 999px; background: color-mix(in srgb, currentColor 8%, transparent); color: inherit; font-family: inherit; font-size: 0.75em; font-weight: 600; line-height: 1.5; font-variant-numeric: tabular-nums; vertical-align: 0.1em; cursor: pointer; }
.citation::before { content: attr(data-number); }
.citation:hover { background: color-mix(in srgb, currentColor 18%, transparent); }
.passage { display: flex; flex-direction: column; gap: 8px; padding: 6px 0 6px 10px; border-inline-start: 3px solid color-mix(in srgb, currentColor 30%, transparent); }
.passage p { white-space: pre-wrap; }
.passage dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 10px; margin: 0; font-size: 0.93em; }
.passage dt { font-weight: 600; }
.passage dd { margin: 0; }
.note { color: var(--dim); font-size: 0.87em; }
.answer .note { color: inherit; opacity: 0.85; }
.error { color: var(--danger); }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.dots { display: inline-flex; gap: 4px; margin-inline-end: 8px; }
.dots i { width: 6px; height: 6px; border-radius: 50%; background: currentColor; opacity: 0.35; animation: dot 1.2s infinite; }
.dots i:nth-child(2) { animation-delay: 0.2s; }
.dots i:nth-child(3) { animation-delay: 0.4s; }
@keyframes dot { 40% { opacity: 1; } }
.after { display: flex; flex-wrap: wrap; gap: 2px; }
.after > .body { flex: 1; }
.after > .error { flex-basis: 100%; }
.after > .icon { color: var(--weft-thumbs, var(--dim)); }
.busy { animation: dot 1.2s infinite; }
.thumbs { display: flex; gap: 2px; color: var(--weft-thumbs, var(--dim)); }
.thumbs .icon, .after > .icon { width: 30px; height: 30px; }
.thumbs svg, .after > .icon svg { width: 17px; height: 17px; }
.thumbs [aria-pressed="true"] svg { fill: currentColor; }
.button { padding: 7px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--text); text-align: start; }
.button:hover:not(:disabled) { border-color: var(--dim); }
.button.primary { border-color: transparent; background: var(--accent); color: var(--accent-text); font-weight: 500; }
.prompts { display: flex; flex-wrap: wrap; gap: 8px; margin-top: auto; }
.card { display: flex; flex-direction: column; gap: 12px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--ground); color: var(--text); }
.card h2 { font-size: 1.05em; font-weight: 600; }
.card label { display: flex; flex-direction: column; gap: 4px; font-size: 0.93em; }
.card label.check { flex-direction: row; align-items: center; gap: 8px; }
.input { width: 100%; padding: 8px 10px; border: 1px solid light-dark(#8a929d, #6b7480); border-radius: 8px; background: var(--weft-input, var(--ground)); color: var(--weft-input-text, var(--text)); resize: vertical; }
.input::placeholder { color: var(--dim); opacity: 1; }
.composer { padding: 10px 12px 12px; border-top: 1px solid var(--line); }
.composer .line { display: flex; align-items: flex-end; gap: 6px; max-width: 784px; margin: 0 auto; }
.composer textarea { flex: 1; min-height: 40px; max-height: 160px; resize: none; field-sizing: content; }
.composer .send { width: 40px; height: 40px; background: var(--weft-send, var(--accent)); color: var(--weft-send-text, var(--accent-text)); }
.composer .send:hover:not(:disabled) { background: var(--weft-send, var(--accent)); filter: brightness(0.93); }
.composer .line > .icon:not(.send) { width: 40px; height: 40px; }
.composer .recording { align-items: center; }
.grow { flex: 1; }
.files { display: flex; flex-wrap: wrap; gap: 6px; max-width: 784px; margin: 0 auto 8px; padding: 0; list-style: none; }
.files li { display: flex; align-items: center; gap: 2px; padding-inline-start: 10px; border: 1px solid var(--line); border-radius: 8px; font-size: 0.87em; }
.files .icon { width: 28px; height: 28px; }
.files svg { width: 14px; height: 14px; }
.status { max-width: 784px; margin: 0 auto; }
.status:not(:empty) { padding-bottom: 8px; }
.footer { padding: 0 12px 10px; text-align: center; font-size: 0.8em; color: var(--weft-footer-text, var(--dim)); }
.footer a { color: inherit; }
.center { margin: auto; text-align: center; display: flex; flex-direction: column; gap: 12px; align-items: center; }
.hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.full { height: var(--weft-height, 100%); width: var(--weft-width, 100%); }
.bubble { position: fixed; z-index: 2147483000; right: var(--weft-bubble-right, 20px); bottom: var(--weft-bubble-bottom, 20px);
  width: var(--weft-bubble-size, 48px); height: var(--weft-bubble-size, 48px); display: grid; place-items: center; padding: 0; border: 0; border-radius: 50%;
  background: var(--accent); color: var(--accent-text); box-shadow: 0 4px 16px rgb(0 0 0 / 25%); cursor: pointer; }
.bubble svg { width: 50%; height: 50%; }
.bubble img { width: 60%; height: 60%; object-fit: contain; }
.tooltip { position: fixed; z-index: 2147483000; right: var(--weft-bubble-right, 20px); bottom: calc(var(--weft-bubble-bottom, 20px) + var(--weft-bubble-size, 48px) + 10px);
  max-width: 240px; padding: 8px 12px; border-radius: 8px; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 4px 16px rgb(0 0 0 / 20%);
  background: var(--weft-tooltip, light-dark(#1c2024, #eceef2)); color: var(--weft-tooltip-text, light-dark(#ffffff, #1c2024)); }
.window { position: fixed; z-index: 2147483001; right: var(--weft-bubble-right, 20px); bottom: calc(var(--weft-bubble-bottom, 20px) + var(--weft-bubble-size, 48px) + 12px);
  width: min(var(--weft-width, 400px), calc(100vw - 24px)); height: min(var(--weft-height, 640px), calc(100dvh - var(--weft-bubble-bottom, 20px) - var(--weft-bubble-size, 48px) - 24px));
  border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: 0 12px 40px rgb(0 0 0 / 25%); animation: rise 140ms ease-out; }
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }
@media (max-width: 480px) {
  .window { inset: 0; width: 100%; height: 100dvh; border: 0; border-radius: 0; }
  .input { font-size: 16px; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
`;
