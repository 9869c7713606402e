import type { Json } from "@weft/schema";

/**
 * Inputs of components that classic chatflows are made of, as `name:type`: what a form holds (`text`, `number`, `flag`,
 * `json`, `rows`), or the type of the component that is wired there.
 */
export const classicInputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Chains: {
    llmChain:
      "model:BaseLanguageModel prompt:BasePromptTemplate outputParser:BaseLLMOutputParser inputModeration:Moderation chainName:text",
    conversationChain:
      "model:BaseChatModel memory:BaseMemory chatPromptTemplate:ChatPromptTemplate inputModeration:Moderation systemMessagePrompt:text",
    conversationalRetrievalQAChain:
      "model:BaseChatModel vectorStoreRetriever:BaseRetriever memory:BaseMemory returnSourceDocuments:flag rephrasePrompt:text responsePrompt:text inputModeration:Moderation",
    retrievalQAChain: "model:BaseLanguageModel vectorStoreRetriever:BaseRetriever inputModeration:Moderation",
    vectorDBQAChain: "model:BaseLanguageModel vectorStore:VectorStore inputModeration:Moderation",
    vectaraQAChain:
      "vectaraStore:VectorStore summarizerPromptName:text responseLang:text maxSummarizedResults:number inputModeration:Moderation",
    multiRetrievalQAChain:
      "model:BaseLanguageModel vectorStoreRetriever:VectorStoreRetriever returnSourceDocuments:flag inputModeration:Moderation",
    multiPromptChain: "model:BaseLanguageModel promptRetriever:PromptRetriever inputModeration:Moderation",
    getApiChain: "model:BaseLanguageModel apiDocs:text headers:json urlPrompt:text ansPrompt:text",
    postApiChain: "model:BaseLanguageModel apiDocs:text headers:json urlPrompt:text ansPrompt:text",
    sqlDatabaseChain:
      "model:BaseLanguageModel database:text url:text includesTables:text ignoreTables:text sampleRowsInTableInfo:number topK:number customPrompt:text inputModeration:Moderation",
    openApiChain: "model:BaseChatModel yamlLink:text yamlFile:text headers:json inputModeration:Moderation",
  },
  Agents: {
    toolAgent:
      "tools:Tool memory:BaseChatMemory model:BaseChatModel chatPromptTemplate:ChatPromptTemplate systemMessage:text inputModeration:Moderation maxIterations:number enableDetailedStreaming:flag",
    openAIToolAgentLlamaIndex:
      "tools:Tool_LlamaIndex memory:BaseChatMemory model:BaseChatModel_LlamaIndex systemMessage:text",
    anthropicAgentLlamaIndex:
      "tools:Tool_LlamaIndex memory:BaseChatMemory model:BaseChatModel_LlamaIndex systemMessage:text",
    conversationalAgent:
      "tools:Tool model:BaseChatModel memory:BaseChatMemory systemMessage:text inputModeration:Moderation maxIterations:number",
    reactAgentChat:
      "tools:Tool model:BaseChatModel memory:BaseChatMemory inputModeration:Moderation maxIterations:number",
    reactAgentLLM: "tools:Tool model:BaseLanguageModel inputModeration:Moderation maxIterations:number",
    xmlAgent:
      "tools:Tool memory:BaseChatMemory model:BaseChatModel systemMessage:text inputModeration:Moderation maxIterations:number",
    conversationalRetrievalToolAgent:
      "tools:Tool memory:BaseChatMemory model:BaseChatModel systemMessage:text rephrasePrompt:text rephraseModel:BaseChatModel inputModeration:Moderation maxIterations:number vectorStoreRetriever:BaseRetriever",
    openAIAssistant:
      "selectedAssistant:text tools:Tool inputModeration:Moderation toolChoice:text parallelToolCalls:flag disableFileDownload:flag",
  },
  Engine: {
    simpleChatEngine: "model:BaseChatModel_LlamaIndex memory:BaseChatMemory systemMessagePrompt:text",
    contextChatEngine:
      "model:BaseChatModel_LlamaIndex vectorStoreRetriever:VectorIndexRetriever memory:BaseChatMemory returnSourceDocuments:flag systemMessagePrompt:text",
    queryEngine:
      "vectorStoreRetriever:VectorIndexRetriever responseSynthesizer:ResponseSynthesizer returnSourceDocuments:flag",
    subQuestionQueryEngine:
      "queryEngineTools:QueryEngineTool model:BaseChatModel_LlamaIndex embeddings:BaseEmbedding_LlamaIndex responseSynthesizer:ResponseSynthesizer returnSourceDocuments:flag",
  },
  Utilities: {
    customFunction: "functionInputVariables:json functionName:text tools:Tool javascriptFunction:text",
    ifElseFunction: "functionInputVariables:json functionName:text ifFunction:text elseFunction:text",
    setVariable: "input:string variableName:text showOutput:flag",
    getVariable: "variableName:text",
  },
  "Chat Models": {
    chatOpenAI:
      "cache:BaseCache modelName:text temperature:number streaming:flag allowImageUploads:flag reasoning:flag reasoningEffort:text reasoningSummary:text maxTokens:number topP:number frequencyPenalty:number presencePenalty:number timeout:number strictToolCalling:flag stopSequence:text basepath:text baseOptions:json",
    chatOllama:
      "cache:BaseCache baseUrl:text modelName:text temperature:number streaming:flag allowImageUploads:flag think:flag jsonMode:flag keepAlive:text topP:number topK:number mirostat:number mirostatEta:number mirostatTau:number numCtx:number numGpu:number numThread:number repeatLastN:number repeatPenalty:number stop:text tfsZ:number",
    chatAnthropic:
      "cache:BaseCache modelName:text temperature:number streaming:flag allowImageUploads:flag extendedThinking:flag budgetTokens:number adaptiveThinking:flag thinkingEffort:text maxTokensToSample:number topP:number topK:number",
    chatMistralAI:
      "cache:BaseCache modelName:text temperature:number streaming:flag maxOutputTokens:number topP:number randomSeed:number safeMode:flag overrideEndpoint:text",
    groqChat: "cache:BaseCache modelName:text temperature:number maxTokens:number streaming:flag",
    chatGoogleGenerativeAI:
      "cache:BaseCache modelName:text customModelName:text temperature:number streaming:flag allowImageUploads:flag thinkingBudget:number thinkingLevel:text maxOutputTokens:number topP:number topK:number safetySettings:array baseUrl:text",
    chatOpenRouter:
      "cache:BaseCache modelName:text temperature:number streaming:flag allowImageUploads:flag maxTokens:number topP:number frequencyPenalty:number presencePenalty:number timeout:number basepath:text baseOptions:json",
    chatDeepseek:
      "cache:BaseCache modelName:text temperature:number streaming:flag maxTokens:number topP:number frequencyPenalty:number presencePenalty:number timeout:number stopSequence:text thinking:flag baseOptions:json",
    chatLocalAI:
      "cache:BaseCache basePath:text modelName:text temperature:number streaming:flag maxTokens:number topP:number timeout:number",
    chatOpenAICustom:
      "cache:BaseCache modelName:text temperature:number streaming:flag maxTokens:number topP:number frequencyPenalty:number presencePenalty:number timeout:number basepath:text baseOptions:json",
    chatOpenAI_LlamaIndex:
      "modelName:text temperature:number maxTokens:number topP:number timeout:number basepath:text",
    chatOllama_LlamaIndex:
      "baseUrl:text modelName:text temperature:number topP:number topK:number mirostat:number mirostatEta:number mirostatTau:number numCtx:number numGpu:number numThread:number repeatLastN:number repeatPenalty:number stop:text tfsZ:number",
    chatAnthropic_LlamaIndex: "modelName:text temperature:number maxTokensToSample:number topP:number",
    chatMistral_LlamaIndex: "modelName:text temperature:number maxTokensToSample:number topP:number",
    chatGroq_LlamaIndex: "modelName:text temperature:number maxTokens:number",
  },
  LLMs: {
    openAI:
      "cache:BaseCache modelName:text temperature:number maxTokens:number topP:number bestOf:number frequencyPenalty:number presencePenalty:number batchSize:number timeout:number basepath:text baseOptions:json",
    ollama:
      "cache:BaseCache baseUrl:text modelName:text temperature:number topP:number topK:number mirostat:number mirostatEta:number mirostatTau:number numCtx:number numGpu:number numThread:number repeatLastN:number repeatPenalty:number stop:text tfsZ:number",
  },
  Prompts: {
    promptTemplate: "template:text promptValues:json",
    chatPromptTemplate: "systemMessagePrompt:text humanMessagePrompt:text promptValues:json messageHistoryCode:text",
    fewShotPromptTemplate:
      "examples:text examplePrompt:PromptTemplate prefix:text suffix:text exampleSeparator:text templateFormat:text",
  },
  Memory: {
    bufferMemory: "sessionId:text memoryKey:text",
    bufferWindowMemory: "k:number sessionId:text memoryKey:text",
    conversationSummaryMemory: "model:BaseChatModel sessionId:text memoryKey:text",
    conversationSummaryBufferMemory: "model:BaseChatModel maxTokenLimit:number sessionId:text memoryKey:text",
    RedisBackedChatMemory: "sessionId:text sessionTTL:number memoryKey:text windowSize:number",
    MongoDBAtlasChatMemory: "databaseName:text collectionName:text sessionId:text memoryKey:text",
    DynamoDBChatMemory: "tableName:text partitionKey:text region:text sessionId:text memoryKey:text",
    upstashRedisBackedChatMemory: "baseURL:text sessionId:text sessionTTL:number memoryKey:text",
    ZepMemory:
      "baseURL:text sessionId:text k:number aiPrefix:text humanPrefix:text memoryKey:text inputKey:text outputKey:text",
    ZepMemoryCloud:
      "sessionId:text memoryType:text aiPrefix:text humanPrefix:text memoryKey:text inputKey:text outputKey:text",
    mem0: "user_id:text useFlowiseChatId:flag searchOnly:flag run_id:text agent_id:text app_id:text project_id:text org_id:text memoryKey:text inputKey:text outputKey:text",
  },
  "Output Parsers": {
    structuredOutputParser: "autofixParser:flag jsonStructure:rows",
    advancedStructuredOutputParser: "autofixParser:flag exampleJson:text",
    csvOutputParser: "autofixParser:flag",
    customListOutputParser: "length:number separator:text autofixParser:flag",
  },
  Moderation: {
    inputModerationOpenAI: "moderationErrorMessage:text",
    inputModerationSimple: "denyList:text model:BaseChatModel moderationErrorMessage:text",
  },
  Tools: {
    calculator: "",
    currentDateTime: "",
    customTool:
      "selectedTool:text returnDirect:flag customToolName:text customToolDesc:text customToolSchema:text customToolFunc:text",
    serper: "",
    googleCustomSearch: "",
    openAPIToolkit:
      "inputType:text openApiFile:text openApiLink:text selectedServer:text selectedEndpoints:text returnDirect:flag headers:json removeNulls:flag customCode:text",
    requestsGet:
      "requestsGetUrl:text requestsGetName:text requestsGetDescription:text requestsGetHeaders:text requestsGetQueryParamsSchema:text requestsGetMaxOutputLength:number",
    requestsPost:
      "requestsPostUrl:text requestsPostName:text requestsPostDescription:text requestsPostHeaders:text requestPostBody:text requestsPostBodySchema:text requestsPostMaxOutputLength:number",
    requestsPut:
      "requestsPutUrl:text requestsPutName:text requestsPutDescription:text requestsPutHeaders:text requestPutBody:text requestsPutBodySchema:text requestsPutMaxOutputLength:number",
    requestsDelete:
      "requestsDeleteUrl:text requestsDeleteName:text requestsDeleteDescription:text requestsDeleteHeaders:text requestsDeleteQueryParamsSchema:text requestsDeleteMaxOutputLength:number",
    agentAsTool:
      "selectedAgentflow:text name:text description:text returnDirect:flag overrideConfig:json baseURL:text startNewSession:flag useQuestionFromChat:flag customInput:text",
    ChatflowTool:
      "selectedChatflow:text name:text description:text returnDirect:flag overrideConfig:json baseURL:text startNewSession:flag useQuestionFromChat:flag customInput:text",
    chainTool: "name:text description:text returnDirect:flag baseChain:BaseChain",
    retrieverTool:
      "name:text description:text retriever:BaseRetriever returnSourceDocuments:flag retrieverToolMetadataFilter:json",
    queryEngineToolLlamaIndex: "baseQueryEngine:BaseQueryEngine toolName:text toolDesc:text",
    tavilyAPI:
      "topic:text searchDepth:text chunksPerSource:number maxResults:number timeRange:text days:number includeAnswer:flag includeRawContent:flag includeImages:flag includeImageDescriptions:flag includeDomains:text excludeDomains:text",
    braveSearchAPI: "",
    serpAPI: "",
    searchAPI: "",
    arxiv:
      "arxivName:text arxivDescription:text topKResults:number maxQueryLength:number docContentCharsMax:number loadFullContent:flag continueOnFailure:flag legacyBuild:flag",
    webScraperTool: "scrapeMode:text maxDepth:number maxPages:number timeoutS:number description:text",
    webBrowser: "model:BaseLanguageModel embeddings:Embeddings",
    exaSearch:
      "description:text numResults:number type:text useAutoprompt:flag category:text includeDomains:text excludeDomains:text startCrawlDate:text endCrawlDate:text startPublishedDate:text endPublishedDate:text",
    searXNG:
      "apiBase:text toolName:text toolDescription:text headers:json format:text categories:text engines:text language:text pageno:number time_range:text safesearch:number",
  },
  "Tools (MCP)": {
    browserlessMCP: "mcpActions:text",
    customMCP: "mcpServerConfig:text mcpActions:text",
    githubMCP: "mcpActions:text githubEnterpriseUrl:text",
    teradataMCP: "mcpUrl:text bearerToken:text mcpActions:text",
  },
  "Vector Stores": {
    documentStoreVS: "selectedStore:text",
    memoryVectorStore: "document:Document embeddings:Embeddings topK:number",
    pinecone:
      "document:Document embeddings:Embeddings recordManager:RecordManager pineconeIndex:text pineconeNamespace:text fileUpload:flag pineconeTextKey:text pineconeMetadataFilter:json topK:number searchType:text fetchK:number lambda:number",
    faiss: "document:Document embeddings:Embeddings basePath:text topK:number",
    chroma:
      "document:Document embeddings:Embeddings recordManager:RecordManager collectionName:text chromaURL:text chromaMetadataFilter:json topK:number",
    mongoDBAtlas:
      "document:Document embeddings:Embeddings databaseName:text collectionName:text indexName:text textKey:text embeddingKey:text mongoMetadataFilter:json topK:number searchType:text fetchK:number lambda:number",
    qdrant:
      "document:Document embeddings:Embeddings recordManager:RecordManager qdrantServerUrl:text qdrantCollection:text fileUpload:flag qdrantVectorDimension:number contentPayloadKey:text metadataPayloadKey:text batchSize:number qdrantSimilarity:text qdrantCollectionConfiguration:json topK:number qdrantFilter:json",
    postgres:
      "document:Document embeddings:Embeddings recordManager:RecordManager host:text database:text port:number ssl:flag tableName:text distanceStrategy:text fileUpload:flag batchSize:number additionalConfig:json topK:number pgMetadataFilter:json contentColumnName:text",
    supabase:
      "document:Document embeddings:Embeddings recordManager:RecordManager supabaseProjUrl:text tableName:text queryName:text supabaseMetadataFilter:json supabaseRPCFilter:text topK:number searchType:text fetchK:number lambda:number",
    weaviate:
      "document:Document embeddings:Embeddings recordManager:RecordManager weaviateConnectionType:text weaviateHost:text weaviateHttpSecure:flag weaviateGrpcHost:text weaviateGrpcSecure:flag weaviateIndex:text weaviateTextKey:text weaviateMetadataKeys:text topK:number weaviateFilter:json searchType:text fetchK:number lambda:number alpha:number",
    redis:
      "document:Document embeddings:Embeddings indexName:text replaceIndex:flag contentKey:text metadataKey:text vectorKey:text topK:number",
    milvus:
      "document:Document embeddings:Embeddings milvusServerUrl:text milvusCollection:text milvusPartition:text fileUpload:flag milvusTextField:text milvusFilter:text topK:number secure:flag clientPemPath:text clientKeyPath:text caPemPath:text serverName:text",
    elasticsearch:
      "document:Document embeddings:Embeddings recordManager:RecordManager indexName:text topK:number similarity:text",
    singlestore:
      "document:Document embeddings:Embeddings host:text database:text tableName:text contentColumnName:text vectorColumnName:text metadataColumnName:text topK:number",
    upstash:
      "document:Document embeddings:Embeddings recordManager:RecordManager fileUpload:flag upstashMetadataFilter:text topK:number",
    vectara:
      "document:Document file:text filter:text sentencesBefore:number sentencesAfter:number lambda:number topK:number mmrK:number mmrDiversityBias:number",
    pineconeLlamaIndex:
      "document:Document model:BaseChatModel_LlamaIndex embeddings:BaseEmbedding_LlamaIndex pineconeIndex:text pineconeNamespace:text pineconeMetadataFilter:json topK:number",
    simpleStoreLlamaIndex:
      "document:Document model:BaseChatModel_LlamaIndex embeddings:BaseEmbedding_LlamaIndex basePath:text topK:number",
  },
  Retrievers: {
    vectorStoreRetriever: "vectorStore:VectorStore name:text description:text",
    promptRetriever: "name:text description:text systemMessage:text",
    multiQueryRetriever: "vectorStore:VectorStore model:BaseLanguageModel modelPrompt:text",
    HydeRetriever:
      "model:BaseLanguageModel vectorStore:VectorStore query:text promptKey:text customPrompt:text topK:number",
    similarityThresholdRetriever:
      "vectorStore:VectorStore query:text minSimilarityScore:number maxK:number kIncrement:number",
    cohereRerankRetriever:
      "baseRetriever:VectorStoreRetriever model:text query:text topK:number maxChunksPerDoc:number",
    RRFRetriever:
      "baseRetriever:VectorStoreRetriever model:BaseLanguageModel query:text queryCount:number topK:number c:number",
    embeddingsFilterRetriever:
      "baseRetriever:VectorStoreRetriever embeddings:Embeddings query:text similarityThreshold:number k:number",
    llmFilterRetriever: "baseRetriever:VectorStoreRetriever model:BaseLanguageModel query:text",
    extractMetadataRetriever:
      "vectorStore:VectorStore model:BaseChatModel query:text dynamicMetadataFilterRetrieverPrompt:text dynamicMetadataFilterRetrieverStructuredOutput:rows topK:number",
    customRetriever: "vectorStore:VectorStore query:text resultFormat:text topK:number",
  },
  "Document Loaders": {
    documentStore: "selectedStore:text",
    pdfFile: "pdfFile:text textSplitter:TextSplitter usage:text legacyBuild:flag metadata:json omitMetadataKeys:text",
    textFile: "txtFile:text textSplitter:TextSplitter metadata:json omitMetadataKeys:text",
    docxFile: "docxFile:text textSplitter:TextSplitter metadata:json omitMetadataKeys:text",
    csvFile: "csvFile:text textSplitter:TextSplitter columnName:text metadata:json omitMetadataKeys:text",
    jsonFile:
      "jsonFile:text textSplitter:TextSplitter separateByObject:flag pointersName:text metadata:json omitMetadataKeys:text",
    fileLoader:
      "file:text textSplitter:TextSplitter usage:text legacyBuild:flag pointerName:text metadata:json omitMetadataKeys:text",
    folderFiles:
      "folderPath:text recursive:flag textSplitter:TextSplitter pdfUsage:text pointerName:text metadata:json omitMetadataKeys:text",
    plainText: "text:text textSplitter:TextSplitter metadata:json omitMetadataKeys:text",
    cheerioWebScraper:
      "url:text textSplitter:TextSplitter relativeLinksMethod:text limit:number selector:text metadata:json omitMetadataKeys:text",
    github:
      "repoLink:text branch:text recursive:flag maxConcurrency:number githubBaseUrl:text githubInstanceApi:text ignorePath:text maxRetries:number textSplitter:TextSplitter metadata:json omitMetadataKeys:text",
  },
  "Text Splitters": {
    recursiveCharacterTextSplitter: "chunkSize:number chunkOverlap:number separators:text",
    characterTextSplitter: "chunkSize:number chunkOverlap:number separator:text",
    markdownTextSplitter: "chunkSize:number chunkOverlap:number splitByHeaders:text",
    htmlToMarkdownTextSplitter: "chunkSize:number chunkOverlap:number",
    tokenTextSplitter: "encodingName:text chunkSize:number chunkOverlap:number",
    codeTextSplitter: "language:text chunkSize:number chunkOverlap:number",
  },
  Embeddings: {
    openAIEmbeddings:
      "modelName:text stripNewLines:flag batchSize:number timeout:number basepath:text baseOptions:json dimensions:number encodingFormat:text",
    ollamaEmbedding: "baseUrl:text modelName:text numGpu:number numThread:number useMMap:flag",
    googleGenerativeAiEmbeddings: "modelName:text tasktype:text stripNewLines:flag",
    localAIEmbeddings: "basePath:text modelName:text",
    huggingFaceInferenceEmbeddings: "modelName:text endpoint:text",
    openAIEmbedding_LlamaIndex: "modelName:text timeout:number basepath:text",
  },
  "Response Synthesizer": {
    compactrefineLlamaIndex: "refinePrompt:text textQAPrompt:text",
    refineLlamaIndex: "refinePrompt:text textQAPrompt:text",
    treeSummarizeLlamaIndex: "prompt:text",
    simpleResponseBuilderLlamaIndex: "",
  },
};

/** A changed value for what a form holds, by the types above. */
export const changedValues: Readonly<Record<string, Json>> = {
  number: "7",
  flag: true,
  json: '{"k":"changed"}',
  rows: [{ property: "changed", type: "string" }],
  array: '[{"k":"changed"}]',
  text: "changed",
  string: "changed",
};
