export {
  dottedNameOf,
  type Expression,
  expressionsOf,
  type Field,
  type Language,
  lastNameOf,
  type Operator,
  type Parameter,
  type Statement,
  walk,
} from "./program.ts";
export { readFiles, type SourceFile, toCode } from "./read-files.ts";
