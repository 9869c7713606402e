import { z } from "zod";
import {
  apiKeyField,
  baseUrlField,
  type ChatModelOptions,
  defineProvider,
  httpAddress,
  type ProviderCredential,
} from "../define-provider.ts";
import {
  createHttpEmbeddingModel,
  createOpenAiWire,
  embeddingConfigFields as fields,
} from "../http-embedding-model.ts";
import { openAiParameters } from "../openai/openai.ts";

/** The first version with everything that the adapters use: tools, structured outputs, usage of streams. */
const defaultApiVersion = "2024-10-21";

const existing = {
  instanceName: "azureOpenAIApiInstanceName",
  deployment: "azureOpenAIApiDeploymentName",
  apiVersion: "azureOpenAIApiVersion",
};

const plain = { secret: false, required: false } as const;

export const azureOpenAi = defineProvider({
  name: "azure-openai",
  title: "Azure OpenAI",
  account: {
    name: "azure-openai",
    hosts: ["*.openai.azure.com", "*.services.ai.azure.com", "*.cognitiveservices.azure.com"],
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    address: httpAddress("AZURE_OPENAI_ENDPOINT"),
  },
  needs: ["apiKey", "baseUrl"],
  credentialFields: [
    apiKeyField({ required: true }),
    {
      name: "instanceName",
      aliases: [existing.instanceName],
      title: "Resource",
      help: "Its name alone, which is the first part of https://<resource>.openai.azure.com.",
      ...plain,
    },
    {
      name: "deployment",
      aliases: [existing.deployment],
      title: "Deployment",
      help: "Used for every model of this credential. If empty, the name of the model is that of its deployment.",
      ...plain,
    },
    {
      name: "apiVersion",
      aliases: [existing.apiVersion],
      title: "API version",
      help: `If empty, ${defaultApiVersion}.`,
      ...plain,
    },
    baseUrlField("Instead of a resource, as in https://<resource>.services.ai.azure.com/openai/v1."),
  ],
  existingCredentials: [
    {
      name: "azureOpenAIApi",
      title: "Azure OpenAI API",
      keyField: "azureOpenAIApiKey",
      otherFields: [
        { name: existing.instanceName, title: "Resource", ...plain },
        { name: existing.deployment, title: "Deployment", ...plain },
        { name: existing.apiVersion, title: "API version", ...plain },
      ],
    },
  ],
  addressOf: ({ instanceName = "" }) =>
    /^[a-z0-9-]+$/i.test(instanceName) ? `https://${instanceName.toLowerCase()}.openai.azure.com` : undefined,
  chat: {
    summary: "OpenAI's models on Azure, each a deployment of its own.",
    acceptsImages: true,
    models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1", "gpt-5-mini", "gpt-5"],
    ...openAiParameters,
    async create({ exchange, ...options }) {
      const { createChatCompletionsModel } = await import("../chat-completions/index.ts");
      const { createOpenAiRules } = await import("../openai/openai-rules.ts");
      const { model, apiKey = "", baseUrl = "" } = options;
      return createChatCompletionsModel({
        id: `azure-openai/${model}`,
        model: deploymentOf(options),
        apiKey,
        baseUrl,
        exchange,
        adapt: createOpenAiRules(model),
        endpoint: { url: toUrl(options, "/chat/completions"), headers: { "api-key": apiKey } },
      });
    },
  },
  embeddings: {
    summary: "OpenAI's embedding models on Azure, each a deployment of its own.",
    models: ["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"],
    config: z.strictObject({
      model: fields.model("text-embedding-3-small"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://my-resource.openai.azure.com"),
    }),
    aliases: {
      names: ["azureOpenAIEmbeddings", "azureOpenAIEmbeddingsLlamaIndex"],
      config: { modelName: "model", basepath: "baseUrl" },
    },
    async create(options) {
      const wire = createOpenAiWire("azure-openai", "");
      return createHttpEmbeddingModel(
        {
          ...wire,
          url: () => toUrl(options, "/embeddings"),
          headers: (apiKey = "") => ({ "api-key": apiKey }),
          body: (request, { dimensions }) => wire.body(request, { model: deploymentOf(options), dimensions }),
        },
        options,
      );
    },
  },
});

type Asked = Pick<ChatModelOptions, "model" | "baseUrl"> & { credential?: ProviderCredential | undefined };

function deploymentOf({ model, credential }: Asked): string {
  return credential?.deployment ?? model;
}

/**
 * The URL of a deployment: `…/openai/deployments/<deployment>` of the dated API, below an address that may already
 * contain part of that, or Azure's `/openai/v1`, which takes the deployment as the model.
 */
function toUrl(asked: Asked, path: string): string {
  const { baseUrl = "", credential } = asked;
  if (baseUrl.endsWith("/v1")) return baseUrl + path;
  const [, root = "", named = ""] = /^(.*?)(?:\/openai)?(?:\/deployments(?:\/([^/]+))?)?$/.exec(baseUrl) ?? [];
  const deployment = named || encodeURIComponent(deploymentOf(asked));
  const version = encodeURIComponent(credential?.apiVersion ?? defaultApiVersion);
  return `${root}/openai/deployments/${deployment}${path}?api-version=${version}`;
}
