/** One collection. Its vectors are in the table `weft_vectors_<collection_key>`. */
export type PgvectorSchema = {
  weft_vector_collections: {
    collection_key: number;
    collection: string;
    embedder_id: string;
    dimension: number;
  };
};

export type PgvectorCollectionRow = PgvectorSchema["weft_vector_collections"];
