import type { ModelProvider } from "@weft/client";
import { type JsonObject, textOrEmpty, toJsonObject } from "@weft/schema";
import { languageTag } from "../../../languages/index.ts";
import { agentSettingsStrings } from "../../../strings.ts";

const strings = agentSettingsStrings.speech;

/** A provider that turns speech into text. */
export type SpeechProvider = Pick<ModelProvider, "name" | "title"> & {
  speech: NonNullable<ModelProvider["speech"]>;
};

export function isSpeechProvider(provider: ModelProvider): provider is ModelProvider & SpeechProvider {
  return provider.speech !== undefined;
}

/** The provider whose service is on. `speech`: the settings of each service by its name, as the agent has them. */
export function findActive(speech: JsonObject, providers: readonly SpeechProvider[]): SpeechProvider | undefined {
  return providers.find((provider) => isOn(speech, provider.speech.service));
}

/** A service of other clients that is on although the server does not have it. */
export function findUnsupported(speech: JsonObject, providers: readonly SpeechProvider[]): string | undefined {
  return Object.keys(speech).find(
    (name) => isOn(speech, name) && !providers.some((provider) => provider.speech.service === name),
  );
}

/** The provider that is offered first: the one that was set up before, if any. */
export function firstChoice(speech: JsonObject, providers: readonly SpeechProvider[]): SpeechProvider | undefined {
  return providers.find((provider) => Object.hasOwn(speech, provider.speech.service)) ?? providers[0];
}

/** Turns on one service, or none. Every service keeps its settings. */
export function withActive(speech: JsonObject, service: string | undefined): JsonObject {
  const others = Object.entries(speech).map(([name, settings]) => [
    name,
    isOn(speech, name) ? { ...toJsonObject(settings), status: false } : settings,
  ]);
  const all: JsonObject = Object.fromEntries(others);
  return service === undefined ? all : { ...all, [service]: { ...toJsonObject(speech[service]), status: true } };
}

function isOn(speech: JsonObject, service: string): boolean {
  return toJsonObject(speech[service]).status === true;
}

/** The settings of a service as the form has them. Forms of other clients send empty texts, and numbers as text. */
export function toSpeechValue(settings: JsonObject): JsonObject {
  const { temperature, ...given } = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
  const number = Number(temperature ?? Number.NaN);
  return Number.isFinite(number) ? { ...given, temperature: number } : given;
}

/** The form of a service, whose current `language` can be chosen even if it is an unusual one. */
export function toSpeechForm({ speech }: SpeechProvider, { language }: JsonObject): object {
  const { takesAddress, needsCredential, model } = speech;
  const labels = languageNames(textOrEmpty(language));
  const credentialHelp = takesAddress ? strings.noKeyHelp : strings.serverKeyHelp;
  const address = { title: strings.address, help: strings.addressHelp, placeholder: addressExample };
  return {
    type: "object",
    properties: {
      ...(takesAddress && { baseUrl: { type: "string", ...address } }),
      credentialId: {
        type: "string",
        title: strings.credential,
        widget: "credential",
        ...(!needsCredential && { help: credentialHelp }),
      },
      model: { type: "string", title: strings.model, placeholder: model },
      language: {
        type: "string",
        title: strings.language,
        help: strings.languageHelp,
        enum: Object.keys(labels),
        labels,
      },
      prompt: { type: "string", title: strings.prompt, help: strings.promptHelp, widget: "textarea" },
      temperature: {
        type: "number",
        title: strings.temperature,
        help: strings.temperatureHelp,
        minimum: 0,
        maximum: 1,
      },
    },
    required: [...(takesAddress ? ["baseUrl"] : []), ...(needsCredential ? ["credentialId"] : [])],
  };
}

const addressExample = "http://localhost:8000/v1";

/**
 * What keeps visitors from recording, by the name of the setting. `credentials`: ids of those that are stored; undefined
 * while they are read.
 */
export function speechProblems(
  { title, speech }: SpeechProvider,
  { baseUrl, credentialId }: JsonObject,
  credentials: readonly string[] | undefined,
): { path: string; message: string }[] {
  const credential = textOrEmpty(credentialId);
  const isDeleted = credential !== "" && credentials?.includes(credential) === false;
  return [
    ...(speech.takesAddress && !isAddress(textOrEmpty(baseUrl))
      ? [{ path: "baseUrl", message: strings.badAddress({ example: addressExample }) }]
      : []),
    ...(speech.needsCredential && credential === ""
      ? [{ path: "credentialId", message: strings.needsCredential({ service: title }) }]
      : []),
    ...(isDeleted ? [{ path: "credentialId", message: strings.deletedCredential }] : []),
  ];
}

/** As the server has it: without a user name, and nothing after the path. */
function isAddress(text: string): boolean {
  const url = URL.parse(text.trim());
  if (url === null) return false;
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && !/[?#]/.test(text);
}

/** Languages that Whisper understands well, as ISO 639-1 has them. */
const spoken =
  "af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh";

/** Names of languages in the reader's language, in the order of its alphabet. */
function languageNames(current: string): Record<string, string> {
  const names = new Intl.DisplayNames(languageTag(), { type: "language", fallback: "none" });
  const codes = new Set([...spoken.split(" "), ...(current === "" ? [] : [current])]);
  const nameOf = (code: string) => (/^[a-z]{2,3}$/.test(code) ? names.of(code) : undefined) ?? code;
  const named = [...codes].map((code) => [code, nameOf(code)] as const);
  return Object.fromEntries(named.toSorted(([, a], [, b]) => a.localeCompare(b, languageTag())));
}
