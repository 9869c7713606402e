export {
  type Confirmer,
  type CredentialService,
  findUnreadable,
  listSecretValues,
  openCredentials,
} from "./credential.service.ts";
export { createCredentialUses } from "./credential-uses.ts";
export { toConfirmer } from "./destinations.ts";
export { loadEncryptionKeys } from "./encryption-keys.ts";
export {
  findUnconfirmedDestinations,
  findUnreadableAddresses,
  storedUses,
} from "./fill-hosts.ts";
export { type Rotation, replaceLostKey, rotateEncryptionKey, rotateToGiven } from "./rotate-encryption-key.ts";
