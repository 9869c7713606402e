export { accountRoutes } from "./account.routes.ts";
export { type AccountService, createAccountService, startSession, toAccount } from "./account.service.ts";
export {
  type AccountRow,
  accounts,
  allAccounts,
  countOwners,
  findAccount,
  findAccountByEmail,
  insertAccount,
  insertRevokedToken,
  removeAccount,
  updatePassword,
} from "./account.store.ts";
export { toSetupAnnouncement } from "./announce-setup.ts";
export { createAuthenticator, createIdentityCache, toAccountIdentity } from "./authenticator.ts";
export type { IdentityContext } from "./identity-context.ts";
export { createPasswordGate } from "./password-gate.ts";
export { resetPassword, withPassword } from "./reset-password.ts";
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
