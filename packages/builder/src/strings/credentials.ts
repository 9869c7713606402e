export const credentialsStrings = {
  title: "Credentials",
  summary: "Keys and passwords that models and integrations use. They are stored encrypted and never shown again.",
  create: "New credential",
  createTitle: "New credential",
  editTitle: "Edit credential",
  emptyTitle: "No credentials yet",
  emptyText:
    "Add the key of a model provider or of a service that your flows call. Flows refer to it by name and never see it.",
  modelGroup: "Models",
  otherGroup: "Services that flows call",
  earlierGroup: "Names of existing clients",
  keepsValue: "Leave empty to keep the stored value",
  isSet: "A value is stored",
  optional: (title: string) => `${title} (optional)`,
  values: "Values",
  remove: "Remove the stored value",
  unreadable: "Unreadable",
  unreadableText:
    "The stored values cannot be decrypted: the server’s encryption key has changed. Enter them again and save.",
  unknownType: "This kind of credential is not known here. Its name can be changed; its values are kept.",
  hosts: "Hosts",
  hostsHelp: (implied: readonly string[]) =>
    `The credential is sent to these hosts and no others${implied.length === 0 ? "" : `, besides ${implied.join(", ")}`}. Saving an agent adds the hosts that its steps spell out. For example api.example.com, api.example.com:8443 or *.example.com.`,
  bind: (host: string) => `Allow this credential for ${host}`,
  bound: (name: string, host: string) => `“${name}” may be sent to ${host} now.`,
  saved: (name: string) => `“${name}” was saved.`,
  deleted: (name: string) => `“${name}” was deleted.`,
  deleteTitle: "Delete this credential?",
  deleteText: (name: string) =>
    `Flows and models that use “${name}” fail until they name another credential. This cannot be undone.`,
} as const;
