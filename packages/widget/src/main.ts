import type { ChatOptions } from "./look/options.ts";
import { type MountedChat, mountBubble, mountFull } from "./view/mount-chat.ts";
import { mountPreview } from "./view/mount-preview.ts";

const bubbleName = "flowise-chatbot";
const fullName = "flowise-fullchatbot";

const mounted = new Set<MountedChat>();

/** Shows the bubble, replacing an earlier one. */
function init(options: ChatOptions): void {
  destroy();
  const host = document.createElement(bubbleName);
  document.body.append(host);
  mounted.add(mountBubble(host, options));
}

/** Fills the page's `<flowise-fullchatbot>`, or the one with the `id`; without one it is added to the page's end. */
function initFull({ id, ...options }: ChatOptions & { id?: string }): void {
  const found = id === undefined ? document.querySelector<HTMLElement>(fullName) : document.getElementById(id);
  const host = found ?? document.createElement(fullName);
  if (found === null) document.body.append(host);
  // An element of an unknown name is inline.
  host.style.display = "block";
  mounted.add(mountFull(host, options));
}

/** Removes every chat from the page. Streaming answers are kept for the next one. */
function destroy(): void {
  for (const chat of mounted) chat.destroy();
  mounted.clear();
}

/** The API of existing widgets for the Flowise API, and what the builder shows an appearance with. */
const Chatbot = { init, initFull, destroy, preview: mountPreview };

declare global {
  interface Window {
    Chatbot: typeof Chatbot;
  }
}

window.Chatbot = Chatbot;

export default Chatbot;
