import type { Aloud } from "../session/read-aloud.ts";
import { strings } from "../strings.ts";
import { element, icon, iconButton } from "./element.ts";

export type ListenActions = { listen(): void; stop(): void };

/** Has an answer read aloud, and stops it. `update`: what is read at the moment, of any answer. */
export type ListenButton = {
  root: HTMLElement;
  problem: HTMLElement;
  /** Whether there is something to listen to. */
  offer(isThere: boolean): void;
  update(aloud: Aloud | undefined): void;
};

export function createListenButton(key: string, { listen, stop }: ListenActions): ListenButton {
  let isOn = false;
  const button = iconButton({ label: strings.listen, icon: "listen", onClick: () => (isOn ? stop() : listen()) });
  const problem = element("p", { class: "error", role: "alert", hidden: true });

  function show(state: Aloud["state"] | undefined): void {
    isOn = state === "loading" || state === "playing";
    const label = isOn ? strings.stopListening : strings.listen;
    for (const name of ["aria-label", "title"]) button.setAttribute(name, label);
    button.replaceChildren(icon(isOn ? "stop" : "listen"));
    button.classList.toggle("busy", state === "loading");
  }

  return {
    root: button,
    problem,
    offer(isThere) {
      button.hidden = !isThere;
    },
    update(aloud) {
      const own = aloud?.key === key ? aloud : undefined;
      show(own?.state);
      problem.textContent = own?.state === "failed" ? own.message : "";
      problem.hidden = problem.textContent === "";
    },
  };
}
