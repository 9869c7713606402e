export { parsePath, parseTemplate, templated } from "./parse-template.ts";
export {
  encodeForUrl,
  type RenderOptions,
  renderJson,
  renderTemplate,
  type TemplateScope,
  templateRoots,
  toText,
} from "./render-template.ts";
