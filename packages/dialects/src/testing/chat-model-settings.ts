/** The settings of chat model components, as their forms name them. */
export const chatModelSettings: Readonly<Record<string, string>> = {
  chatXAI: "cache modelName temperature streaming allowImageUploads maxTokens",
  chatDeepseek:
    "cache modelName temperature streaming maxTokens topP frequencyPenalty presencePenalty timeout stopSequence thinking baseOptions",
  azureChatOpenAI_LlamaIndex: "modelName temperature maxTokens topP timeout",
  azureChatOpenAI:
    "cache modelName temperature maxTokens streaming allowImageUploads reasoning reasoningEffort reasoningSummary topP frequencyPenalty presencePenalty timeout basepath baseOptions",
  awsChatBedrock:
    "cache region model customModel endpointHost streaming allowImageUploads temperature max_tokens_to_sample latencyOptimized useGlobalEndpoint",
  chatCerebras:
    "cache modelName temperature streaming maxTokens topP frequencyPenalty presencePenalty timeout basepath baseOptions",
  chatGoogleVertexAI:
    "cache region modelName customModelName temperature streaming allowImageUploads thinkingBudget thinkingLevel maxOutputTokens topP topK",
  chatFireworks: "cache modelName temperature streaming",
  chatCohere: "cache modelName temperature streaming",
  chatNvidiaNIM:
    "cache modelName basePath temperature streaming maxTokens topP frequencyPenalty presencePenalty timeout baseOptions",
  chatGoogleGenerativeAI:
    "cache modelName customModelName temperature streaming allowImageUploads thinkingBudget thinkingLevel maxOutputTokens topP topK safetySettings baseUrl",
  chatAnthropic:
    "cache modelName temperature streaming allowImageUploads extendedThinking budgetTokens adaptiveThinking thinkingEffort maxTokensToSample topP topK",
  chatAnthropic_LlamaIndex: "modelName temperature maxTokensToSample topP",
  chatGroq_LlamaIndex: "modelName temperature maxTokens",
  groqChat: "cache modelName temperature maxTokens streaming",
  chatTogetherAI: "cache modelName temperature streaming",
  chatTogetherAI_LlamaIndex: "modelName temperature",
  chatOllama:
    "cache baseUrl modelName temperature streaming allowImageUploads think jsonMode keepAlive topP topK mirostat mirostatEta mirostatTau numCtx numGpu numThread repeatLastN repeatPenalty stop tfsZ",
  chatOllama_LlamaIndex:
    "baseUrl modelName temperature topP topK mirostat mirostatEta mirostatTau numCtx numGpu numThread repeatLastN repeatPenalty stop tfsZ",
  chatOpenRouter:
    "cache modelName temperature streaming allowImageUploads maxTokens topP frequencyPenalty presencePenalty timeout basepath baseOptions",
  chatOpenAI:
    "cache modelName temperature streaming allowImageUploads reasoning reasoningEffort reasoningSummary maxTokens topP frequencyPenalty presencePenalty timeout strictToolCalling stopSequence basepath baseOptions",
  chatOpenAI_LlamaIndex: "modelName temperature maxTokens topP timeout basepath",
  chatLocalAI: "cache basePath modelName temperature streaming maxTokens topP timeout",
  chatMistralAI: "cache modelName temperature streaming maxOutputTokens topP randomSeed safeMode overrideEndpoint",
  chatMistral_LlamaIndex: "modelName temperature maxTokensToSample topP",
  chatSambanova: "cache modelName temperature streaming basepath baseOptions",
  chatLitellm: "cache basePath modelName temperature streaming allowImageUploads maxTokens topP timeout",
  chatOpenAICustom:
    "cache modelName temperature streaming maxTokens topP frequencyPenalty presencePenalty timeout basepath baseOptions",
  chatHuggingFace: "cache model endpoint temperature maxTokens topP hfTopK frequencyPenalty stop",
  chatAlibabaTongyi: "cache modelName temperature streaming",
  chatCometAPI: "cache modelName temperature streaming maxTokens topP frequencyPenalty presencePenalty baseOptions",
  chatPerplexity:
    "cache model temperature maxTokens topP topK presencePenalty frequencyPenalty streaming timeout proxyUrl",
};
