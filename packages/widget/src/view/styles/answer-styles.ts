/** Questions and answers, and what comes with them. */
export const answerStyles = `
.turn { display: flex; flex-direction: column; gap: 12px; }
.question { align-self: flex-end; max-width: min(85%, 600px); padding: 9px 15px; border-radius: 18px; border-end-end-radius: 5px; white-space: pre-wrap;
  background: var(--weft-question, light-dark(#5b5bd6, #3d3d99)); color: var(--weft-question-text, #ffffff); }
.question .attached { display: flex; align-items: center; gap: 6px; font-size: 0.93em; }
.question .attached svg { width: 16px; height: 16px; }
.reply { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 14px; }
.reply:not(.pictured) > .avatar { display: none; }
.pictured { grid-template-columns: 30px minmax(0, 1fr); }
.reply > .avatar { grid-row: 1 / span 2; margin-top: -2px; }
.pictured > :not(.avatar) { grid-column: 2; }
.with-avatar { display: flex; gap: 8px; align-items: flex-end; }
.with-avatar.mine { justify-content: flex-end; }
.answer { display: flex; flex-direction: column; gap: 10px; min-width: 0; }
.bubbled .answer { justify-self: start; max-width: min(100%, 640px); padding: 10px 15px; border-radius: 18px; border-start-start-radius: 5px; background: var(--weft-answer); color: var(--weft-answer-text, inherit); }
.body a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); text-underline-offset: 3px; }
.body a:hover { text-decoration-color: currentColor; }
.body ul, .body ol { padding-inline-start: 1.5em; }
.body li + li, .body li > * + * { margin-top: 4px; }
.body li::marker { color: color-mix(in srgb, currentColor 65%, transparent); }
.body .heading { margin-top: 6px; font-weight: 600; font-size: 1.07em; letter-spacing: -0.01em; line-height: 1.4; }
.body .heading:first-child { margin-top: 0; }
.body blockquote { padding-inline-start: 12px; border-inline-start: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
.body hr { width: 100%; border: 0; border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
code { padding: 1px 5px; border-radius: 5px; background: var(--soft); font: 0.9em/1.5 "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.code { border: 1px solid color-mix(in srgb, currentColor 14%, transparent); border-radius: 12px; overflow: hidden; background: var(--soft); }
.code .bar { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 2px 4px 2px 14px; font-size: 0.8em; }
.code .copy { min-height: 30px; padding: 2px 10px; border: 0; border-radius: 8px; background: none; font-weight: 500; }
.code .copy:hover { background: color-mix(in srgb, currentColor 9%, transparent); }
.code pre { overflow-x: auto; padding: 2px 14px 14px; white-space: pre; scrollbar-width: thin; }
.code code { padding: 0; background: none; }
.body .table { overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 14%, transparent); border-radius: 12px; scrollbar-width: thin; }
.body table { border-collapse: collapse; width: max-content; min-width: 100%; font-size: 0.93em; line-height: 1.45; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
.body th, .body td { max-width: 20em; padding: 8px 14px; text-align: start; vertical-align: top; }
.body th { font-weight: 600; white-space: nowrap; background: var(--soft); }
.body tbody tr { border-top: 1px solid color-mix(in srgb, currentColor 12%, transparent); }

.answer[aria-busy="true"] .text > :last-child:not(ul, ol, .code, .table)::after,
.answer[aria-busy="true"] .text > :is(ul, ol):last-child > li:last-child > p:last-child::after {
  content: ""; display: inline-block; width: 0.5em; height: 1em; margin-inline-start: 4px; border-radius: 2px; vertical-align: -0.14em; background: var(--accent); animation: blink 1s steps(2, jump-none) infinite; }
@keyframes blink { to { opacity: 0.15; } }
.dots { display: inline-flex; gap: 4px; margin-inline-end: 10px; }
.dots i { width: 6px; height: 6px; border-radius: 50%; background: currentColor; opacity: 0.3; animation: dot 1.2s infinite; }
.dots i:nth-child(2) { animation-delay: 0.2s; }
.dots i:nth-child(3) { animation-delay: 0.4s; }
@keyframes dot { 40% { opacity: 1; } }
.busy { animation: dot 1.2s infinite; }
.answer .note { color: inherit; opacity: 0.78; }

.steps { font-size: 0.87em; }
.steps summary, .sources > summary { display: inline-flex; align-items: center; gap: 6px; padding: 3px 10px; border: 1px solid color-mix(in srgb, currentColor 16%, transparent); border-radius: 14px; cursor: pointer; list-style: none; }
.steps summary::-webkit-details-marker, .sources > summary::-webkit-details-marker { display: none; }
.steps summary:hover, .sources > summary:hover { background: var(--soft); }
.steps summary svg { width: 14px; height: 14px; }
.steps ol { display: flex; flex-direction: column; gap: 2px; margin-top: 8px; padding-inline-start: 12px; border-inline-start: 2px solid color-mix(in srgb, currentColor 16%, transparent); list-style: none; }
.problem { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 14px; padding: 12px 14px; border: 1px solid color-mix(in srgb, var(--danger) 35%, transparent); border-radius: 12px; background: color-mix(in srgb, var(--danger) 6%, var(--ground)); }
.problem .error { flex: 1 1 14em; }

.sources { font-size: 0.93em; }
.sources ol { display: flex; flex-direction: column; gap: 6px; padding-top: 8px; }
.sources li details > summary { cursor: pointer; padding: 2px 0; }
.sources .uncitable { list-style: none; }
.sources .opened .passage p:first-child { background: color-mix(in srgb, #f5c400 28%, transparent); box-decoration-break: clone; }
.citation { display: inline-block; min-width: 1.75em; margin: 0 1px; padding: 0 0.45em; border: 0; border-radius: 999px; background: color-mix(in srgb, currentColor 12%, transparent); color: inherit; font-family: inherit; font-size: 0.72em; font-weight: 600; line-height: 1.7; font-variant-numeric: tabular-nums; vertical-align: 0.2em; cursor: pointer; }
.citation::before { content: attr(data-number); }
.citation:hover { background: color-mix(in srgb, currentColor 22%, transparent); }
.passage { display: flex; flex-direction: column; gap: 8px; padding: 6px 0 6px 12px; border-inline-start: 3px solid color-mix(in srgb, currentColor 20%, transparent); }
.passage p { white-space: pre-wrap; }
.passage dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 10px; margin: 0; font-size: 0.93em; }
.passage dt { font-weight: 600; }
.passage dd { margin: 0; }

.after { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 2px; margin: -6px 0 0 -7px; color: var(--weft-thumbs, var(--dim)); }
.after .icon { width: 32px; height: 32px; }
.after svg { width: 17px; height: 17px; }
.after > .rating { flex: 1; min-width: 0; gap: 4px; }
.after > .error, .rating .note, .rating form { margin-inline-start: 7px; }
.rating .body { gap: 4px; }
.rating form { gap: 8px; max-width: 480px; }
.after > .error { flex-basis: 100%; }
.after .body { color: var(--text); }
.thumbs { display: flex; gap: 2px; color: var(--weft-thumbs, var(--dim)); }
.thumbs [aria-pressed="true"] svg { fill: color-mix(in srgb, currentColor 40%, transparent); }

@container (min-width: 640px) {
  .reply:has(> .avatar) { grid-template-columns: 30px minmax(0, 1fr); }
  .reply > span.avatar { display: grid !important; }
  .reply > img.avatar { display: block !important; }
  .reply:has(> .avatar) > :not(.avatar) { grid-column: 2; }
}
`;
