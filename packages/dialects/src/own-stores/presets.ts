/**
 * What forms hold before anybody edits them, of inputs that have no effect here: by component and input. Such a value says
 * no more than none.
 */
export const presets: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries<Record<string, string>>({
    cohereEmbeddings: { inputType: "search_query" },
    mistralAIEmbeddings: { batchSize: "512", stripNewLines: "true" },
    azureOpenAIEmbeddings: { batchSize: "100" },
    AWSBedrockEmbeddings: { batchSize: "50", maxRetries: "5" },
    googleGenerativeAiEmbeddings: { tasktype: "TASK_TYPE_UNSPECIFIED" },
    ollamaEmbedding: { useMMap: "true" },
    couchbase: { textKey: "text", embeddingKey: "embedding" },
    mongoDBAtlas: { textKey: "text", embeddingKey: "embedding" },
    kendra: { region: "us-east-1" },
    elasticsearch: { similarity: "l2_norm" },
    vectara: { sentencesBefore: "2", sentencesAfter: "2" },
    milvus: { milvusPartition: "_default" },
    zep: { baseURL: "http://127.0.0.1:8000", dimension: "1536" },
    qdrant: {
      qdrantVectorDimension: "1536",
      contentPayloadKey: "content",
      metadataPayloadKey: "metadata",
      qdrantSimilarity: "Cosine",
    },
    postgres: { distanceStrategy: "cosine" },
    redis: { contentKey: "content", metadataKey: "metadata", vectorKey: "content_vector" },
    openSearch: { engine: "lucene", spaceType: "l2" },
    weaviate: { weaviateConnectionType: "cloud", weaviateHttpSecure: "true", weaviateGrpcSecure: "true" },
  }),
);
