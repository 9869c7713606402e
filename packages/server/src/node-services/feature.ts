import { createDocumentReader, type DocumentReader } from "@weft/documents";
import type { EngineDeps } from "@weft/engine";
import type { Sandbox } from "@weft/engine/ports/sandbox";
import type { SqlClient } from "@weft/engine/ports/sql-client";
import { createToolResolver, integrations } from "@weft/integrations";
import { createModelResolver } from "@weft/providers";
import type { Resolvers } from "@weft/run-host";
import { createSandbox } from "@weft/sandbox";
import { createSqlClient } from "@weft/sql";
import { defineFeature } from "../feature.ts";
import { concealing } from "../known-secrets.ts";

type Sandboxes = {
  ofRuns: Sandbox;
  /** Separate from that of runs, so that trials never delay them. */
  ofTrials: Sandbox;
  /** Calls of runs that wait for a thread. */
  waiting(): number;
  close(): Promise<void>;
};

declare module "../feature.ts" {
  interface Services {
    documents: DocumentReader;
    sandboxes: Sandboxes;
    sql: SqlClient & { close(): Promise<void> };
    nodeServices: Pick<EngineDeps["services"], "models" | "tools" | "readCredential" | "http" | "sql" | "sandbox">;
  }
}

export const documents = defineFeature({
  name: "documents",
  service: () => createDocumentReader(),
  stop: (documents) => documents.close(),
});

export const sandboxes = defineFeature({
  name: "sandboxes",
  service({ config: { maxFunctionTimeoutMs: maxTimeoutMs }, vault }) {
    const threads = createSandbox({ maxTimeoutMs });
    const ofTrials = createSandbox({ workers: 4, maxTimeoutMs });
    return {
      ofRuns: concealing(vault).sandbox(threads),
      ofTrials,
      waiting: threads.waiting,
      async close() {
        await threads.close();
        await ofTrials.close();
      },
    };
  },
  stop: (sandboxes) => sandboxes.close(),
});

export const sql = defineFeature({
  name: "sql",
  service: ({ http, config }) =>
    createSqlClient({ connect: http.connect, reveal: http.reveal, filesDir: config.sqlFilesDir }),
  stop: (sql) => sql.close(),
});

export const nodeServices = defineFeature({
  name: "nodeServices",
  needs: ["commandServers", "credentials", "defaultModel", "sandboxes", "sql", "tools"],
  service(context, { commandServers, credentials, defaultModel, sandboxes, sql, tools }) {
    const { clock, config, hooks, http, modelDefaults: defaults, modelHttp, vault } = context;
    const readCredential = credentials.readPlaceholders;
    const patience = { limits: config.modelLimits, clock };
    const answerBytes = config.modelAnswerBytes;
    const found: Resolvers = {
      models: createModelResolver({ defaults, readCredential, http: modelHttp, patience, answerBytes }),
      tools: createToolResolver(integrations, { clock, storedTools: tools, fetch: http.fetch, commandServers }),
    };
    // The layers of a call on its way out, first to last. Before these: the effect of the engine, which journals the
    // call. After them, in the model that is found: its parameters, patience, the limit of its answer.
    const layers: ((inner: Resolvers) => Resolvers)[] = [
      concealing(vault).resolvers,
      (inner) => hooks.wrapResolvers?.(inner) ?? inner,
      (inner) => ({ ...inner, models: defaultModel.applyTo(inner.models) }),
    ];
    const resolvers = layers.reduceRight((inner, layer) => layer(inner), found);
    return { ...resolvers, http, sql, sandbox: sandboxes.ofRuns, readCredential };
  },
});
