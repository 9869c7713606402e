import { defineRoute, type Route } from "@weft/http";
import { z } from "zod";

/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** `scrape` resolves with the metrics, even while the database does not respond. */
export function metricsRoutes(scrape: () => Promise<string>): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/metrics",
      operationId: "getMetrics",
      summary: "Get metrics for Prometheus",
      description:
        "Runs, steps, models, the database and the process, in Prometheus' text format. Counts are those of the process that answers; `weft_runs_running` and `weft_runs_waiting` are those of the database. While the database does not answer, `weft_database_up` is 0, and a bearer that was proven within the last day still gets an answer.",
      tag: "Health",
      permission: "server:read",
      trustsLastProof: true,
      returns: {
        schema: z.string().meta({ examples: ['weft_runs_started_total{agent="…"} 12\n'] }),
        contentType,
      },
      errors: [],
      async handle() {
        return scrape();
      },
    }),
  ];
}
