export type { ConvertedFlow } from "./agentflow-v2/index.ts";
export type { ConfigPlace, ImportChoice, ImportedFlow, ImportedSecret, MadeChoice } from "./imported-flow.ts";
export { keepRefusals, notYetSaid } from "./keep-refusals.ts";
export { type ForeignFlow, inputsOf, toForeignFlow } from "./overridable-flow.ts";
export { type OverriddenStores, overrideOwnStores, ownStoresOf, readFlow } from "./read-flow.ts";
export { recognise } from "./recognise.ts";
export { fillIn, settle } from "./settle.ts";
