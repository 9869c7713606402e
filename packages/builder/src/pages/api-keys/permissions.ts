/** A preset of permissions, or `chosen` for a list of individual ones. */
export type Preset = "chat" | "everything" | "chosen";

/** The permissions a chat client needs, such as a widget on a page. */
export const chatPermissions = ["predictions:run", "attachments:write", "feedback:write", "leads:write"] as const;

/** The resources with the actions that a key may be given. Source: the server's table of permissions. */
export const permissionTable: Readonly<Record<string, readonly string[]>> = {
  agents: ["read", "write"],
  predictions: ["run"],
  messages: ["read", "write"],
  chats: ["read", "write", "all"],
  executions: ["read", "write"],
  credentials: ["read", "write"],
  variables: ["read", "write"],
  tools: ["read", "write"],
  assistants: ["read", "write"],
  feedback: ["read", "write"],
  leads: ["read", "write"],
  attachments: ["write"],
  "document-stores": ["read", "write"],
  apikeys: ["read", "write"],
  privacy: ["read", "write"],
  server: ["read"],
  people: ["read", "write"],
  settings: ["write"],
};

/** Permissions that "Everything" does not include: over other people, their chats and data, unless granted by name. */
const isOfOthers = (permission: string) => /^(chats|privacy|people|settings):/.test(permission);

/** The preset with exactly these permissions. */
export function presetOf(permissions: readonly string[]): Preset {
  if (permissions.includes("*")) return "everything";
  const isChat = permissions.length === chatPermissions.length && chatPermissions.every((p) => permissions.includes(p));
  return isChat ? "chat" : "chosen";
}

export function toPermissions(preset: Preset, chosen: readonly string[]): string[] {
  if (preset === "everything") return ["*", ...chosen.filter(isOfOthers)];
  return preset === "chat" ? [...chatPermissions] : [...chosen];
}
