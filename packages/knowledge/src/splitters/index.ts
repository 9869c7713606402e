export { character } from "./character.ts";
export { code } from "./code.ts";
export { html } from "./html.ts";
export { markdown } from "./markdown.ts";
export { recursiveCharacter } from "./recursive-character.ts";
export { token } from "./token.ts";
