/**
 * Helpers for conversations beside that of the run: lists of messages by the conversation's id, in the flow's state. See
 * `values.ts`.
 */
export const conversationHelpers = String.raw`
function fx_thread(conversations, id) {
  return fx_rows(fx_field(conversations, fx_text(id)));
}
function fx_withMessages(conversations, id, messages) {
  return fx_assign(conversations, [fx_text(id)], [...fx_thread(conversations, id), ...messages]);
}
function fx_messages(value, role) {
  return fx_rows(value)
    .map((one) => ({ Role: fx_text(fx_field(one, "Role")) || role, Text: fx_messageText(one) }))
    .filter((message) => message.Text !== "");
}
function fx_transcript(messages) {
  if (messages.length === 1) return messages[0].Text;
  return messages.map(({ Role, Text }) => (/^user$/i.test(Role) ? "User" : "Assistant") + ": " + Text).join("\n\n");
}
function fx_toldOnce(pending, text) {
  const first = fx_text(pending);
  return first === "" || text.includes(first) ? text : [first, text].filter((part) => part !== "").join("\n\n");
}
function fx_newConversation(conversations) {
  return "conversation-" + (Object.keys(conversations ?? {}).length + 1);
}
`;
