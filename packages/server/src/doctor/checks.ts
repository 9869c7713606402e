import type { Check } from "./check.ts";
import { dataFolderCheck } from "./data-folder-check.ts";
import { integrityCheck } from "./integrity-check.ts";
import { keysCheck } from "./keys-check.ts";
import { nodeCheck } from "./node-check.ts";
import { orphansCheck } from "./orphans-check.ts";
import { retentionCheck } from "./retention-check.ts";
import { sharedChatsCheck } from "./shared-chats-check.ts";
import { spaceCheck } from "./space-check.ts";
import { credentialHostsCheck, overridesCheck, webhooksCheck } from "./upgrade-checks.ts";

/** Every check of `npm run doctor`, in the order in which it prints. The schema is looked at before them. */
export const checks: readonly Check[] = [
  integrityCheck,
  keysCheck,
  sharedChatsCheck,
  overridesCheck,
  credentialHostsCheck,
  webhooksCheck,
  orphansCheck,
  dataFolderCheck,
  spaceCheck,
  retentionCheck,
  nodeCheck,
];
