export { accountRoutes } from "./account.routes.ts";
export { createAccountService } from "./account.service.ts";
export { toSetupAnnouncement } from "./announce-setup.ts";
export { createAuthenticator, createIdentityCache } from "./authenticator.ts";
export { resetPassword } from "./reset-password.ts";
export {
  createTokens,
  findTokenKeyProblem,
  isTokenShaped,
  loadTokenKey,
  openTokenKey,
  operatorSubject,
  rotateTokenKey,
  setTokenKey,
} from "./tokens.ts";
