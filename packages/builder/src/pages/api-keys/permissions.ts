/** What a key may do, as a preset of the form or one by one. */
export type Preset = "chat" | "everything" | "chosen";

/** What a chat client needs, such as a widget in a page. */
export const chatPermissions = ["predictions:run", "attachments:write", "feedback:write", "leads:write"] as const;

/** The resources with the actions that a key may be given. Source: the server's table of permissions. */
export const permissionTable: Readonly<Record<string, readonly string[]>> = {
  agents: ["read", "write"],
  predictions: ["run"],
  messages: ["read", "write"],
  chats: ["write", "all"],
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
  server: ["read"],
};

/** What "Everything" does not cover: the chats of others, where they were given by name. */
const isOfOthers = (permission: string) => permission.startsWith("chats:");

/** The preset that stands for exactly these permissions. */
export function presetOf(permissions: readonly string[]): Preset {
  if (permissions.includes("*")) return "everything";
  const isChat = permissions.length === chatPermissions.length && chatPermissions.every((p) => permissions.includes(p));
  return isChat ? "chat" : "chosen";
}

export function toPermissions(preset: Preset, chosen: readonly string[]): string[] {
  if (preset === "everything") return ["*", ...chosen.filter(isOfOthers)];
  return preset === "chat" ? [...chatPermissions] : [...chosen];
}
