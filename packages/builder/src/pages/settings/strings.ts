import type { Variable } from "@weft/client";
import { formatList, localized } from "../../languages/index.ts";

export const settingsStrings = localized("settings", {
  title: "Settings",
  account: "Account",
  name: "Name",
  email: "E-mail",
  unnamed: "No name",
  operator:
    "You are signed in with a command-line token. It is not tied to an account, so there is no password to change.",
  password: "Password",
  passwordText: "Changing it signs out all your other devices.",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHint: "At least 8 characters.",
  changePassword: "Change password",
  passwordChanged: "The password was changed. All your other devices are signed out.",
  everywhere: "Sign out everywhere",
  everywhereText:
    "Lost a device or left one signed in? Enter your password to end every session of your account, including this one. API keys are not affected.",
  everywhereSubmit: "Sign out everywhere",
  appearance: "Appearance",
  colours: "Colours",
  schemes: { auto: "System", light: "Light", dark: "Dark" },
  language: "Language",
  languageHelp: "Labels of steps and error messages of the server stay in English.",
  browserLanguage: (name: string) => `As in the browser (${name})`,
  flowise: "Move from Flowise",
  flowiseText:
    "Takes over a whole Flowise installation from its database: agents, credentials, API keys, document stores and chats, under the same ids.",
  flowiseOpen: "Start the move",
  about: "About",
  version: "Server version",
  documentation: "API documentation",
});

export const variablesStrings = localized("variables", {
  title: "Variables",
  summary: "Values every flow can read: {{ $vars.name }} in text, $vars.name in code.",
  create: "New variable",
  createTitle: "New variable",
  editTitle: "Edit variable",
  search: "Search variables",
  emptyTitle: "No variables yet",
  emptyText:
    "Store values that several flows share, such as an address, a city or a limit. Change one here and every flow uses the new value.",
  nameHint: "Use letters, digits and underscores, so that code can read it as $vars.name.",
  types: {
    string: "Text",
    number: "Number",
    boolean: "Yes or no",
    json: "JSON",
    runtime: "From the server’s environment",
    static: "Text (static)",
  } satisfies Record<Variable["type"], string>,
  runtimeHint:
    "Read from the environment variable of this name when a flow runs. The operator lists the permitted names in RUNTIME_VARIABLES.",
  runtimeValue: "Read when a flow runs",
  yes: "true",
  no: "false",
  noValue: "Empty",
  saved: (name: string) => `“${name}” was saved.`,
  deleted: (name: string) => `“${name}” was deleted.`,
  deleteTitle: "Delete this variable?",
  deleteText: (name: string) => `Flows that read $vars.${name} will get no value. This cannot be undone.`,
});

export const credentialsStrings = localized("credentials", {
  title: "Credentials",
  summary: "Keys and passwords for models and integrations. Stored encrypted and never shown again.",
  create: "New credential",
  createTitle: "New credential",
  editTitle: "Edit credential",
  emptyTitle: "No credentials yet",
  emptyText:
    "Add the key for a model provider or a service that your flows call. Flows refer to it by name and never see its value.",
  modelGroup: "Models",
  otherGroup: "Services that flows call",
  earlierGroup: "Names used by existing clients",
  keepsValue: "Leave empty to keep the stored value",
  isSet: "A value is stored",
  optional: (title: string) => `${title} (optional)`,
  values: "Values",
  remove: "Remove the stored value",
  unreadable: "Unreadable",
  unreadableText:
    "The stored values cannot be decrypted because the server’s encryption key has changed. Enter them again and save.",
  unknownType: "This server does not support this credential type. You can rename it; its values are kept.",
  hosts: "Hosts",
  hostsHelp: (implied: readonly string[]) =>
    `The credential is sent only to these hosts${implied.length === 0 ? "" : ` and to ${formatList(implied)}`}. Saving an agent adds the hosts named in its steps. For example api.example.com, api.example.com:8443 or *.example.com.`,
  bind: (host: string) => `Allow this credential for ${host}`,
  bound: (name: string, host: string) => `“${name}” can now be sent to ${host}.`,
  saved: (name: string) => `“${name}” was saved.`,
  deleted: (name: string) => `“${name}” was deleted.`,
  deleteTitle: "Delete this credential?",
  deleteText: (name: string) =>
    `Flows and models that use “${name}” will fail until you choose another credential. This cannot be undone.`,
});

export const modelsStrings = localized("models", {
  title: "Models",
  summary: "Models your agents use. A flow can specify its own model; otherwise it uses the default.",
  provider: "Provider",
  model: "Model",
  modelHint: "Pick one or enter any model name that the provider offers. Leave empty for the provider’s default.",
  optional: (title: string) => `${title} (optional)`,
  keyStays: "The key is stored encrypted on this server and never shown again.",
  refused: "The model did not answer",
  connect: "Connect a model",
  connectSubmit: "Test and use",
  credential: "Credential",
  serverKey: "Server configuration",
  deletedCredential: "Deleted credential",

  defaultTitle: "Default model",
  providerDefault: "the provider’s default",
  chosenHere: "Chosen here. Overrides the server’s environment.",
  fromConfiguration: "Set by the server’s environment. Connect a model here to override it.",
  rehearsal:
    "No real model is connected. Flows use the rehearsal model: it follows fixed rules, is not an AI, and says so in every answer.",
  reset: "Use server configuration",
  wasReset: "The default model now comes from the server’s configuration.",
  wasChosen: (title: string) => `${title} is now the default model.`,
  change: "Change",
  changeTitle: "Choose the default model",
  test: "Test connection",
  testing: "Testing…",
  answered: (model: string, durationMs: number) => `${model} answered in ${durationMs} ms`,

  providersTitle: "Providers",
  isDefault: "Default",
  images: "Supports images",
  credentialCount: (count: number) => (count === 1 ? "1 credential" : `${count} credentials`),
  noCredential: "No credential yet",
  builtIn: "Built in",
  addCredential: "Add credential",
});
