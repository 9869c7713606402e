export { credentialRoutes } from "./credential.routes.ts";
export { type CredentialService, findUnreadable, listSecretValues, openCredentials } from "./credential.service.ts";
export { loadEncryptionKeys } from "./encryption-keys.ts";
export { fillHosts, findUnreadableAddresses } from "./fill-hosts.ts";
export { bindingHosts, createHostBinding, type HostBinding } from "./host-binding.ts";
export { concealing } from "./known-secrets.ts";
export { type Rotation, replaceLostKey, rotateEncryptionKey, rotateToGiven } from "./rotate-encryption-key.ts";
