export { accountRoutes } from "./account.routes.ts";
export { type AccountService, createAccountService } from "./account.service.ts";
export { toSetupAnnouncement } from "./announce-setup.ts";
export { createAuthenticator } from "./authenticator.ts";
export { createIdentityCache } from "./identity-cache.ts";
export { loadTokenKey, rotateTokenKey } from "./key-file.ts";
export { resetPassword } from "./reset-password.ts";
export { createTokens, operatorSubject } from "./tokens.ts";
