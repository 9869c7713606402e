import type { Database } from "@weft/database";
import type { KeywordIndex } from "./keyword-index.ts";
import { postgresKeywordIndex } from "./postgres-keyword-index.ts";
import { sqliteKeywordIndex } from "./sqlite-keyword-index.ts";

export const keywordIndexes: Record<Database["dialect"], KeywordIndex> = {
  sqlite: sqliteKeywordIndex,
  postgres: postgresKeywordIndex,
};
