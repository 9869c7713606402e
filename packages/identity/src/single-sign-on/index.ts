export { createSingleSignOn, type SingleSignOn, type SingleSignOnDeps } from "./create-single-sign-on.ts";
export type { GivenProvider, Sealing } from "./provider.service.ts";
