import { localized } from "../../languages/index.ts";

export const agentSettingsStrings = localized("agentSettings", {
  title: (agent: string) => `Sharing and limits: ${agent}`,
  loadingTitle: "Sharing and limits",
  leave: "Your changes to these settings are not saved.",
  conflict: "Someone else saved this agent in the meantime. Reload to see their changes; yours will be lost.",

  access: "Who can use it",
  isPublic: "Public",
  isPublicHelp: "Visitors can chat with it without a key, for example through a chat widget on your website.",
  closed:
    "Visitors are still blocked: this server does not allow public agents. Start it with ALLOW_PUBLIC_FLOWS=true to let them in.",
  opened: "Visitors can now chat with it.",
  deployed: "MCP tool",
  deployedHelp: "Lists the agent as a tool on this server's MCP endpoint.",
  key: "Dedicated API key",
  keyHelp: "If set, predictions require this key, even for a public agent.",
  anyKey: "None: any key that can send messages",
  missingKey: (id: string) => `Deleted (${id.slice(0, 8)})`,
  noMatch: "No matches.",

  pages: "Websites",
  pagesText: "Limits which websites can embed a chat client for this agent. API clients are not affected.",
  origins: "Allowed origins",
  originsHelp: "For example https://shop.example. Press Enter after each one. Leave empty to allow every site.",
  originsMessage: "Message for other sites",

  limits: "Rate limit",
  limitsText: "Applies per visitor, so that no single visitor can use up your model budget.",
  isLimited: "Limit messages",
  limitMax: "Messages",
  limitDuration: "Time window (seconds)",
  limitMessage: "Message when the limit is reached",
  defaultLimitMessage: "Too many messages. Try again later.",

  budget: "Daily budget of visitors",
  budgetText:
    "What visitors without a key or an account can use up in a day, which ends at midnight UTC. Costs count where a model's price is known. The operator of this server can allow less.",
  perVisitor: "Each visitor",
  allVisitors: "All visitors together",
  budgetAmounts: { runs: "Messages a day", dollars: "US dollars a day" },

  retention: "Retention",
  retentionText:
    "How many days this agent keeps what visitors without a key or an account leave: a chat from its last message on, with its executions, files, feedback and documents, and a lead from when it was left. The operator of this server can keep less.",
  retentionDays: { visitorDays: "Days for chats", leadDays: "Days for leads" },
  retentionUnset: "As on the server",

  overrides: "Overrides",
  overridesText:
    "What API clients and visitors can change for a single message. Signed-in users can change everything except credentials and addresses.",
  overridesOn: "Let callers override settings",
  overridesOnHelp: "Only the settings you choose here. Any others are ignored with a warning.",
  overrideVariables: "Variables",
  overrideVariablesHelp:
    "A variable used in an address lets callers choose where requests go. Press Enter after each name.",
  overrideNode: (label: string) => `Settings of ${label}`,
  overrideHistory: "Let visitors send the chat history",
  overrideHistoryHelp: "Visitors can then fake earlier answers from the agent. API clients can always send it.",

  writes: "Actions for visitors",
  writesText:
    "Applies to visitors without a key or an account, whose messages may mislead the agent. With “Ask a person”, someone with an account decides under Executions.",
  effects: { write: "Change data", destructive: "Delete data" },
  rulings: { allow: "Allow", ask: "Ask a person", refuse: "Deny" },

  chat: "Chat features",
  chatText: "Applies to the chat in this builder and to chat clients on websites.",
  prompts: "Suggested messages",
  promptsHelp: "Shown before the first message. Press Enter after each one.",
  followUps: "Suggest messages after an answer",
  followUpsHelp: "The agent's model is asked once more after each answer, which costs tokens.",
  feedback: "Ask for feedback",
  feedbackHelp: "Thumbs up or down on each answer.",
  files: "Let visitors attach files",
  filesHelp: "Their text is added to the question.",
  fileTypes: "File types",
  fileTypesHelp: "Leave empty to allow every supported type.",
  leads: "Ask for contact details",
  leadsHelp: "Shows a form before the first message. Entries appear under Messages and leads.",
  leadsTitle: "Form title",
  leadsSuccess: "Confirmation message",
  leadsFields: "Form fields",
  leadFields: { name: "Name", email: "E-mail", phone: "Phone" },

  speech: {
    title: "Speech",
    text: "Visitors record a message in the hosted chat or the chat widget. What they say becomes the question.",
    isOn: "Let visitors record messages",
    isOnHelp: "Recordings are sent to the service you choose.",
    service: "Service",
    address: "Address",
    addressHelp: "Any server with OpenAI's transcription API.",
    badAddress: (example: string) =>
      `Enter an address such as ${example}. Until then, visitors cannot record messages.`,
    credential: "Credential",
    serverKeyHelp: "Leave empty to use this server's own key.",
    noKeyHelp: "Leave empty if the service does not require a key.",
    needsCredential: (service: string) =>
      `${service} needs a credential. Choose one or create it here. Until then, recordings fail.`,
    deletedCredential: "This credential was deleted, so recordings fail. Choose another one.",
    model: "Model",
    language: "Language",
    languageHelp: "The language visitors speak. Leave empty to detect it.",
    prompt: "Expected words",
    promptHelp: "Names and terms that visitors are likely to say, so that they are spelled correctly.",
    temperature: "Temperature",
    temperatureHelp: "From 0 to 1. Higher values guess more freely. Leave empty for the service's default.",
    readsAloud: "Read answers aloud",
    readsAloudHelp:
      "Chats show a button under each answer, and programs use the API. Texts are sent to the service you choose.",
    voiceService: "Service for reading aloud",
    voiceCredential: "Credential for reading aloud",
    voice: "Voice",
    voiceModel: "Model for reading aloud",
    voiceHelp: "Leave empty for the service's default.",
    voicesUnknown: "The voices could not be listed. Check the credential, or enter the id of a voice.",
    autoPlay: "Start reading automatically",
    autoPlayHelp:
      "Chats read each answer as soon as it is complete. Every streamed answer is sent to the service, whether anybody listens or not.",
    unsupported: (service: string) =>
      `Speech is set to ${service}, which this server does not support, so visitors cannot record messages. Choose another service.`,
  },
});
