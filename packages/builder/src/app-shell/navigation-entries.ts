import type { LucideIcon } from "lucide-react";
import {
  Bot,
  BrainCircuit,
  History,
  KeyRound,
  LibraryBig,
  LockKeyhole,
  Settings,
  UserRound,
  Variable,
  Wrench,
} from "lucide-react";
import { shellStrings } from "../strings/shell.ts";

export type NavigationEntry = { to: string; label: string; icon: LucideIcon };

/** The navigation, in groups; one line for each page. */
export const navigationGroups: readonly (readonly NavigationEntry[])[] = [
  [
    { to: "/agents", label: shellStrings.agents, icon: Bot },
    { to: "/assistants", label: shellStrings.assistants, icon: UserRound },
    { to: "/executions", label: shellStrings.executions, icon: History },
  ],
  [
    { to: "/document-stores", label: shellStrings.documentStores, icon: LibraryBig },
    { to: "/tools", label: shellStrings.tools, icon: Wrench },
    { to: "/models", label: shellStrings.models, icon: BrainCircuit },
    { to: "/credentials", label: shellStrings.credentials, icon: LockKeyhole },
    { to: "/variables", label: shellStrings.variables, icon: Variable },
    { to: "/api-keys", label: shellStrings.apiKeys, icon: KeyRound },
  ],
  [{ to: "/settings", label: shellStrings.settings, icon: Settings }],
];
