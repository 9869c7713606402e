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
  toText,
} from "./render-template.ts";
