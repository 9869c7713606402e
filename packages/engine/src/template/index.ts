export {
  encodeForUrl,
  parsePath,
  parseTemplate,
  type RenderOptions,
  renderJson,
  renderTemplate,
  type TemplateScope,
  templated,
  templateRoots,
  toLiteral,
  toText,
} from "./render-template.ts";
