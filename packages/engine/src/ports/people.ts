/** The people behind the platform, who can answer a chat in place of its agent. */
export type People = {
  /** Asks for one to take the chat over. Repeating it changes nothing. */
  askForPerson(chat: { agentId: string; chatId: string; owner: string }, reason: string): Promise<void>;
};
