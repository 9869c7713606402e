/** The button at the edge of a page, and the window that it opens. */
export const windowStyles = `
.bubble { position: fixed; z-index: 2147483000; right: var(--weft-bubble-right, 20px); bottom: var(--weft-bubble-bottom, 20px);
  width: var(--weft-bubble-size, 48px); height: var(--weft-bubble-size, 48px); display: grid; place-items: center; padding: 0; border: 0; border-radius: 50%;
  background: var(--accent); color: var(--accent-text); box-shadow: 0 2px 6px rgb(0 0 0 / 14%), 0 8px 24px rgb(0 0 0 / 18%); cursor: pointer; transition: transform 140ms; }
/* It waits for its colour, but not for long. */
.bubble.waiting { animation: appear 1ms 1500ms backwards; }
.bubble:hover { transform: scale(1.05); }
.bubble svg { width: 50%; height: 50%; }
.bubble img { width: 60%; height: 60%; object-fit: contain; }
.tooltip { position: fixed; z-index: 2147483000; right: var(--weft-bubble-right, 20px); bottom: calc(var(--weft-bubble-bottom, 20px) + var(--weft-bubble-size, 48px) + 10px);
  max-width: 240px; padding: 8px 12px; border-radius: 10px; font: 14px/1.4 ui-sans-serif, system-ui, sans-serif; box-shadow: 0 4px 16px rgb(0 0 0 / 20%);
  background: var(--weft-tooltip, light-dark(#16191d, #e6e8eb)); color: var(--weft-tooltip-text, light-dark(#ffffff, #16191d)); }
.window { position: fixed; z-index: 2147483001; right: var(--weft-bubble-right, 20px); bottom: calc(var(--weft-bubble-bottom, 20px) + var(--weft-bubble-size, 48px) + 12px);
  width: min(var(--weft-width, 400px), calc(100vw - 24px)); height: min(var(--weft-height, 680px), calc(100dvh - var(--weft-bubble-bottom, 20px) - var(--weft-bubble-size, 48px) - 24px));
  border: 1px solid var(--line); border-radius: 18px; overflow: hidden; box-shadow: 0 2px 8px rgb(0 0 0 / 8%), 0 16px 48px rgb(0 0 0 / 22%); animation: rise 140ms ease-out; }
@media (max-width: 480px) {
  .window { inset: 0; width: 100%; height: 100dvh; border: 0; border-radius: 0; }
  .input, .composer textarea { font-size: 16px; }
}
`;
