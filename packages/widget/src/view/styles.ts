import { answerStyles } from "./styles/answer-styles.ts";
import { windowStyles } from "./styles/window-styles.ts";

/**
 * Of the shadow root. Variables of the theme are `--weft-…`; each has a value of ours for both schemes. The chat is laid out
 * by its own width and not by the page's, because it stands in windows, in frames and in elements of other pages.
 */
export const styles = `
:host { all: initial; color-scheme: light dark; }
:host, .frame {
  --ground: var(--weft-window, light-dark(#ffffff, #131519));
  --raised: var(--weft-input, light-dark(#ffffff, #1d2025));
  --text: var(--weft-window-text, light-dark(#16191d, #e6e8eb));
  --dim: light-dark(#5c636f, #a1a6b0);
  --line: light-dark(#e1e4e9, #30353d);
  --edge: light-dark(#8b919d, #6b7480);
  --soft: color-mix(in srgb, currentColor 6%, transparent);
  --accent: var(--weft-bubble, light-dark(#5b5bd6, #8b8bec));
  --accent-text: var(--weft-bubble-text, light-dark(#ffffff, #0e1013));
  --danger: light-dark(#b42318, #ff9d92);
  --gutter: 16px;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.frame { container-type: inline-size; display: flex; flex-direction: column; height: 100%; overflow: hidden; background: var(--ground); color: var(--text);
  font: var(--weft-font-size, 15px)/1.6 "Inter Variable", Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-font-smoothing: antialiased; overflow-wrap: anywhere; text-align: start; }
button, input, textarea, select { font: inherit; color: inherit; letter-spacing: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; display: block; flex: none; }
h1, h2, p, ul, ol, pre, blockquote { margin: 0; }
.icon { display: grid; place-items: center; flex: none; width: 36px; height: 36px; padding: 0; border: 0; border-radius: 10px; background: none; color: inherit; transition: background 120ms; }
.icon:hover:not(:disabled) { background: color-mix(in srgb, currentColor 9%, transparent); }
.body { display: flex; flex-direction: column; gap: 10px; min-width: 0; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.note { color: var(--dim); font-size: 0.87em; }
.error { color: var(--danger); }
.grow { flex: 1; }
.hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.button { min-height: 36px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); color: var(--weft-input-text, var(--text)); font-size: 0.93em; font-weight: 500; text-align: start; transition: border-color 120ms, background 120ms; }
.button:hover:not(:disabled) { border-color: var(--edge); }
.button:disabled { opacity: 0.6; }
.button.primary { border-color: transparent; background: var(--accent); color: var(--accent-text); }
.button.primary:hover:not(:disabled) { filter: brightness(0.95); }

.header { display: flex; align-items: center; gap: 10px; padding: 10px 10px 10px var(--gutter); border-bottom: 1px solid var(--line);
  background: var(--weft-title, transparent); color: var(--weft-title-text, inherit); }
.header h1 { flex: 1; font-size: 1em; font-weight: 600; letter-spacing: -0.01em; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.avatar { display: grid; place-items: center; flex: none; width: 30px; height: 30px; border-radius: 30%; object-fit: cover; font-size: 14px; font-weight: 600; line-height: 1; user-select: none; }
.avatar.drawn { background: linear-gradient(145deg, var(--drawn), color-mix(in oklch, var(--drawn) 80%, #000)); color: var(--drawn-text); }
.avatar.emoji { background: var(--soft); font-size: 18px; }

.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 20px var(--gutter); scrollbar-width: thin; background-size: cover; background-position: center; }
.log:focus-visible { outline-offset: -2px; }
.column { display: flex; flex-direction: column; gap: 24px; max-width: 760px; margin: 0 auto; min-height: 100%; }
.column > .body { gap: 24px; }
.column > .body:empty { display: none; }

.hero { display: flex; flex-direction: column; align-items: center; gap: 8px; margin: auto 0; padding: 24px 0 12px; text-align: center; }
.hero .avatar { width: 64px; height: 64px; margin-bottom: 10px; font-size: 28px; }
.hero .avatar.emoji { font-size: 36px; }
.hero .greeting { max-width: 26em; font-size: 1.5em; font-weight: 600; letter-spacing: -0.02em; line-height: 1.3; text-wrap: balance; white-space: pre-line; }
.hero .greeting.long { max-width: 40em; font-size: 1.05em; font-weight: 400; letter-spacing: 0; line-height: 1.6; }
.hero .about { max-width: 36em; color: var(--dim); text-wrap: balance; white-space: pre-line; }
.frame:not(.empty) .hero { align-items: flex-start; gap: 4px; margin: 0; padding: 0; text-align: start; }
.frame:not(.empty) .hero :is(.avatar, .about) { display: none; }
.frame:not(.empty) .hero .greeting { max-width: none; font-size: 1em; font-weight: 400; letter-spacing: 0; line-height: 1.6; text-wrap: pretty; }

.prompts { display: flex; flex-wrap: wrap; gap: 8px; }
.prompts .button { border-radius: 18px; font-weight: 400; }
.prompts .button:hover { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--raised)); }
.empty .prompts { justify-content: center; margin: 0 auto auto; }

.card { display: flex; flex-direction: column; gap: 14px; width: 100%; max-width: 480px; margin: 0 auto; padding: 20px; border: 1px solid var(--line); border-radius: 16px; background: var(--raised); color: var(--weft-input-text, var(--text)); }
.empty .card { margin-bottom: auto; }
.card h2 { font-size: 1.1em; font-weight: 600; letter-spacing: -0.01em; }
.card label { display: flex; flex-direction: column; gap: 4px; font-size: 0.93em; font-weight: 500; }
.card label.check { flex-direction: row; align-items: center; gap: 8px; }
.input { width: 100%; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 10px; background: var(--raised); color: var(--weft-input-text, var(--text)); font-weight: 400; resize: vertical; }
.input::placeholder, .composer textarea::placeholder { color: var(--dim); opacity: 1; }

.composer { padding: 8px var(--gutter) max(12px, env(safe-area-inset-bottom)); }
.composer .box { max-width: 784px; margin: 0 auto; padding: 7px; border: 1px solid var(--edge); border-radius: 24px; background: var(--raised); color: var(--weft-input-text, var(--text)); box-shadow: 0 2px 10px rgb(0 0 0 / 5%); transition: border-color 120ms, box-shadow 120ms; }
.composer .box:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 22%, transparent); }
.composer .line { display: flex; align-items: flex-end; gap: 4px; }
.composer .recording { align-items: center; }
.composer textarea { flex: 1; min-width: 0; min-height: 36px; max-height: 180px; padding: 6px 10px; border: 0; border-radius: 8px; outline: none; background: none; resize: none; field-sizing: content; }
.composer .icon { border-radius: 50%; }
.composer .send { background: var(--weft-send, var(--accent)); color: var(--weft-send-text, var(--accent-text)); }
.composer .send:hover:not(:disabled) { background: var(--weft-send, var(--accent)); filter: brightness(0.93); }
.composer .send:disabled { background: color-mix(in srgb, currentColor 10%, transparent); color: var(--dim); }
.files { display: flex; flex-wrap: wrap; gap: 6px; padding: 3px 3px 8px; list-style: none; }
.files li { display: flex; align-items: center; gap: 2px; max-width: 100%; padding-inline-start: 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--soft); font-size: 0.87em; }
.files .icon { width: 30px; height: 30px; }
.files svg { width: 14px; height: 14px; }
.status { max-width: 760px; margin: 0 auto; }
.status:not(:empty) { padding-bottom: 8px; }
.footer { padding: 0 var(--gutter) 10px; text-align: center; font-size: 0.8em; color: var(--weft-footer-text, var(--dim)); }
.footer a { color: inherit; }
.center { margin: auto; padding: var(--gutter); text-align: center; display: flex; flex-direction: column; gap: 14px; align-items: center; }
.center.loading { animation: appear 200ms 400ms backwards; }
.full { height: var(--weft-height, 100%); width: var(--weft-width, 100%); }
@keyframes appear { from { opacity: 0; } }
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }

@container (min-width: 640px) {
  .header { border-bottom-color: transparent; padding: 12px 14px 12px 20px; }
  .hero .greeting { font-size: 1.75em; }
  /* An empty chat in a large window: what to write into stands below the greeting, and not far away at the edge. */
  .empty .log { flex: 0 1 auto; margin-top: auto; padding-bottom: 12px; }
  .empty .column { min-height: 0; }
  .empty .composer { margin-bottom: auto; padding-bottom: 10vh; }
}
${answerStyles}
${windowStyles}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
`;
