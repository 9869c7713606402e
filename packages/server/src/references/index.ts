export { assuming, checkReferences, isKnown, type KnownReferences, type ReferredThing } from "./check-references.ts";
export { findComponent, referencesOfFlow } from "./find-references.ts";
export { createReachCheck } from "./reach.ts";
export {
  type AgentParts,
  createStoredReferences,
  referencesOfChoice,
  referencesOfStore,
  type StoredReference,
  toChoice,
} from "./stored-references.ts";
