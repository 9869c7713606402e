import type { Check } from "./check.ts";

/** API keys that reach the chats of others. Keys from before chats had owners do. */
export const sharedChatsCheck: Check = {
  name: "api-keys",
  async run({ read }) {
    const keys = await read
      .selectFrom("apiKeys")
      .select(["id", "keyName", "permissions"])
      .orderBy("keyName")
      .orderBy("id")
      .execute();
    return keys
      .filter(({ permissions }) => (JSON.parse(permissions) as string[]).includes("chats:all"))
      .map(({ id, keyName: name }) => ({
        message: `The API key "${name}" (${id}) reaches the chats of every owner, because it holds chats:all. Take that permission away if it only needs the chats of its own client.`,
        resource: { type: "api-key", id, name },
      }));
  },
};
