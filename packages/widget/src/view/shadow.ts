import { type Look, toScheme, toVariables } from "../look/options.ts";
import { language } from "../strings.ts";
import { styles } from "./styles.ts";

/** A shadow root with the style sheet, made by script: a page's content security policy needs to allow nothing for it. */
export function openShadow(host: HTMLElement, first: Look) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  const [sheet, custom] = [new CSSStyleSheet(), new CSSStyleSheet()];
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet, custom];
  const wear = (look: Look) => {
    for (const [name, value] of Object.entries(toVariables(look))) {
      if (value === "") host.style.removeProperty(`--weft-${name}`);
      else host.style.setProperty(`--weft-${name}`, value);
    }
    host.style.colorScheme = toScheme(look) ?? "";
    custom.replaceSync(look.customCss);
  };
  host.lang = language;
  wear(first);
  return { root, wear };
}
