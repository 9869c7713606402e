import { z } from "zod";
import { leavesOutOfClaude } from "../anthropic/anthropic.ts";
import { apiKeyField, baseUrlField, defineProvider } from "../define-provider.ts";
import { embeddingConfigFields as fields } from "../http-embedding-model.ts";
import { bedrockHosts, defaultRegion, toBedrockUrl } from "./bedrock-call.ts";

const secretKey = "awsSecret";

/** The vendor's own parameters apply only to its models. */
function isClaude(model: string): boolean {
  return /(^|[./])anthropic\./.test(model);
}

export const bedrock = defineProvider({
  name: "bedrock",
  title: "Amazon Bedrock",
  account: {
    name: "bedrock",
    hosts: bedrockHosts,
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    address: { variable: "BEDROCK_REGION", expected: "an AWS region, such as eu-central-1", parse: toBedrockUrl },
  },
  needs: ["apiKey"],
  credentialFields: [
    {
      ...apiKeyField({ help: "Or an API key of Bedrock, without an access key ID.", required: true }),
      title: "Secret access key",
    },
    {
      name: "accessKeyId",
      aliases: ["awsKey"],
      title: "Access key ID",
      help: "Leave empty for an API key of Bedrock.",
      secret: false,
      required: false,
    },
    {
      name: "sessionToken",
      aliases: ["awsSession"],
      title: "Session token",
      help: "Only for temporary keys.",
      secret: true,
      required: false,
    },
    {
      name: "region",
      title: "Region",
      help: `If empty, that of the flow, else ${defaultRegion}.`,
      secret: false,
      required: false,
    },
    baseUrlField("Only for an endpoint of your own, such as that of a VPC."),
  ],
  existingCredentials: [
    {
      name: "awsApi",
      title: "AWS security credentials",
      keyField: secretKey,
      otherFields: [
        { name: "awsKey", title: "Access key ID", secret: false, required: true },
        { name: "awsSession", title: "Session token", secret: true, required: false },
      ],
    },
  ],
  addressOf: ({ region = "" }) => toBedrockUrl(region),
  chat: {
    summary: "Models of many vendors on Amazon Bedrock, through its Converse API.",
    acceptsImages: true,
    models: [
      "anthropic.claude-haiku-4-5-20251001-v1:0",
      "anthropic.claude-sonnet-4-5-20250929-v1:0",
      "amazon.nova-lite-v1:0",
      "amazon.nova-pro-v1:0",
      "meta.llama3-3-70b-instruct-v1:0",
    ],
    parameters: ["thinkingTokens", "topK", "stop"],
    leavesOut: (model, given) => (isClaude(model) ? leavesOutOfClaude(model, given) : ["thinkingTokens", "topK"]),
    create: async (options) => (await import("./bedrock-model.ts")).createBedrockModel(options),
  },
  embeddings: {
    summary: "Titan and Cohere embedding models on Amazon Bedrock.",
    models: ["amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3", "cohere.embed-english-v3"],
    config: z.strictObject({
      model: fields.model("amazon.titan-embed-text-v2:0"),
      credential: fields.credential,
      dimensions: fields.dimensions,
      baseUrl: fields.baseUrl("https://bedrock-runtime.eu-central-1.amazonaws.com"),
    }),
    aliases: { names: ["AWSBedrockEmbeddings"], config: { customModel: "model" } },
    create: async (options) => (await import("./bedrock-embeddings.ts")).createBedrockEmbeddingModel(options),
  },
});
