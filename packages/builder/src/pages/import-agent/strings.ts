import { formatList, localized } from "../../languages/index.ts";

export const importStrings = localized("import", {
  title: "Import an agent",
  back: "Agents",
  files: "Files",
  text: "Drop the files of one agent here: a flow of Weft or AgentFlow V2, a classic chatflow, a multi-agent flow of Flowise, a Microsoft Foundry workflow with its agents, or the code that OpenAI Agent Builder exports.",
  choose: "Choose files",
  add: "Add files",
  paste: "Or paste the text of one file",
  remove: (name: string) => `Remove ${name}`,
  pasted: "Pasted text",
  tooLarge: (name: string) => `${name} is larger than 4 MB, which is more than any flow. Choose another file.`,
  name: "Name",
  nameHelp: "What the agent is called.",
  fallbackName: "Imported flow",
  several: (count: number) => `The file contains ${count} flows`,
  chooseFlow: "Choose one",
  choices: "Choose",
  choicesText: "The files only name these. Say what they stand for on this server, now or later in the editor.",
  missingText:
    "The flow needs these, and this server does not have them as they are. Choose now or later in the editor.",
  kinds: {
    model: (name: string) => `Model in place of ${name}`,
    agent: (name: string) => `Agent ${name}`,
    "document-store": (name: string) => `Document store in place of ${name}`,
    credential: (name: string) => `Credential in place of ${name}`,
  },
  defaultModels: (count: number) => (count === 1 ? "Use the default model" : "Use the default model for all"),
  secrets: "Secrets",
  secretsText:
    "The files contain these secrets. They are stored encrypted as credentials and never become part of the flow. Replace them at their vendor: anyone who had the files could read them.",
  sentTo: (host: string) => `sent to ${host} only`,
  findings: "What to know",
  counts: ({ exact, approximate, refused }: Record<"exact" | "approximate" | "refused", number>) =>
    `${formatList([
      `${exact} ${exact === 1 ? "step is" : "steps are"} converted exactly`,
      ...(approximate > 0 ? [`${approximate} with a remark`] : []),
      ...(refused > 0 ? [`${refused} ${refused === 1 ? "needs" : "need"} your attention`] : []),
    ])}.`,
  submit: "Import",
  unread: "These files cannot be read",
  empty: "The flow appears here before anything is stored.",
});
