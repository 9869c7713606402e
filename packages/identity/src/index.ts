export {
  accountRoutes,
  createTokens,
  findTokenKeyProblem,
  loadTokenKey,
  operatorSubject,
  resetPassword,
  rotateTokenKey,
  setTokenKey,
  toSetupAnnouncement,
} from "./accounts/index.ts";
export { apiKeyRoutes } from "./api-keys/api-key.routes.ts";
export { isApiKey } from "./api-keys/api-key.service.ts";
export { createIdentity } from "./create-identity.ts";
export { personRoutes } from "./people/person.routes.ts";
export type { GivenProvider, Sealing } from "./single-sign-on/index.ts";
