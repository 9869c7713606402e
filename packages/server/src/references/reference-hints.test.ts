import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { referencesOf } from "@weft/engine";
import { integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import { embeddingProviders } from "@weft/providers";
import { loaders } from "@weft/providers/loaders";
import { type Destination, type Json, type ReferenceHints, retrievalSettingsSchema } from "@weft/schema";
import { vectorStoreTypes } from "@weft/vector-stores";
import { z } from "zod";
import { flowOf } from "../testing/test-platform.ts";
import { findComponent, referencesOfFlow } from "./find-references.ts";

const schemas: [name: string, config: z.ZodType][] = [
  ...Object.values(nodeRegistry).map(({ type, config }): [string, z.ZodType] => [type, config]),
  ...Object.values(integrations).map(({ type, config }): [string, z.ZodType] => [type, config]),
  ...Object.values(loaders).map(({ name, config }): [string, z.ZodType] => [name, config]),
  ...embeddingProviders.map(({ name, config }): [string, z.ZodType] => [name, config]),
  ...vectorStoreTypes.map(({ name, config }): [string, z.ZodType] => [name, config]),
  ["a store's search", retrievalSettingsSchema],
];

type Property = { widget?: string; placeholder?: string } & ReferenceHints;
type Field = { place: string; name: string; property: Property; beside: readonly string[] };

/** Every property of a JSON Schema, at any depth. */
function fieldsOf(schema: unknown, place: string): Field[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, Property> };
  const beside = Object.keys(properties);
  const own = Object.entries(properties).map(([name, property]) => ({ place, name, property, beside }));
  return [...own, ...Object.values(schema).flatMap((inner) => fieldsOf(inner, place))];
}

const fields = schemas.flatMap(([name, config]) =>
  fieldsOf(z.toJSONSchema(config, { io: "input", unrepresentable: "any" }), name),
);

/** The fields that a destination reads. */
function fieldsIn(destination: Destination): string[] {
  const { address, host, port, system, provider, by } = destination as Partial<Record<string, unknown>>;
  return [address, host, port, system, provider, by].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
}

describe("what a setting stands for", () => {
  it("is declared wherever a form chooses it, in every registry", () => {
    const kinds: Record<string, string> = {
      ...{ credential: "credential", agent: "agent", "document-store": "document-store", model: "model" },
      ...{ "custom-tool": "tool", "custom-tools": "tool", file: "file" },
    };
    const seen = new Set<string>();
    for (const { place, name, property } of fields) {
      const kind = kinds[property.widget ?? ""];
      if (kind === undefined) continue;
      seen.add(kind);
      assert.equal(property.ref, kind, `${place}: ${name}`);
    }
    assert.deepEqual([...seen].toSorted(), ["agent", "credential", "document-store", "file", "model", "tool"]);
  });

  it("says of every credential where it goes, by fields that stand beside it", () => {
    const credentials = fields.filter(({ property }) => property.ref === "credential");
    assert.ok(credentials.length > 40, `${credentials.length}`);
    for (const { place, name, property, beside } of credentials) {
      assert.ok(property.goesTo !== undefined, `${place}: ${name} says not where it goes`);
      for (const field of property.goesTo.flatMap(fieldsIn))
        assert.ok(beside.includes(field), `${place}: ${name} goes to ${field}, which is not there`);
    }
  });

  it("is declared of every setting that takes an address", () => {
    const addresses = fields.filter(
      ({ name, property: { placeholder = "" } }) =>
        /^https?:/.test(placeholder) || /(url|^host|address|^server)$/i.test(name),
    );
    assert.ok(addresses.length > 40, `${addresses.length}`);
    for (const { place, name, property } of addresses)
      assert.ok(["address", "mcp-server"].includes(property.ref ?? ""), `${place}: ${name}`);
  });
});

describe("references", () => {
  const ofFlow = (flow: Parameters<typeof referencesOfFlow>[0]) => referencesOfFlow(flow, nodeRegistry);

  it("are found at any depth, in their order, and not in the words of others", () => {
    const tools = [
      { type: "request-get", config: { headers: { credential: "h" }, parameters: { agentId: "p" }, credential: "c" } },
      { type: "custom-tools", config: { toolIds: ["t1", "t2", ""] } },
      { type: "openapi-toolkit", config: { server: "https://api.example", credential: "c" } },
      { type: "agent", config: { agentId: "{{ $vars.agent }}" } },
      { type: "no-such-tool", config: { credential: "n" } },
    ];
    const flow = JSON.parse(flowOf("agent", "Agent", { tools, knowledge: [{ storeId: "s", name: "n" }] }));
    assert.deepEqual(
      ofFlow(flow)
        .filter(({ kind }) => kind !== "address")
        .map(({ kind, id, path }) => `${kind} ${id} ${path.join(".")}`),
      [
        "credential c tools.0.config.credential",
        "tool t1 tools.1.config.toolIds",
        "tool t2 tools.1.config.toolIds",
        "credential c tools.2.config.credential",
        "agent {{ $vars.agent }} tools.3.config.agentId",
        "document-store s knowledge.0.storeId",
      ],
    );
  });

  it("of a component carry its name, its settings under its own names, and where a credential goes", () => {
    const stored = { credential: "c", qdrantServerUrl: "https://qdrant.example" };
    const store = findComponent("vector-store", "qdrant", stored);
    assert.ok(store);
    const [credential] = referencesOf(store.config, { ...store, component: store.name }, findComponent);
    assert.deepEqual(credential?.goesTo, [{ address: "url", port: 6333 }]);
    assert.deepEqual(credential?.beside, { credential: "c", url: "https://qdrant.example" });
    assert.equal(credential?.component, "qdrant");
  });

  it("are those of a planted component whose fields have names that nobody knows", () => {
    const planted = z.object({
      servers: z.array(
        z.strictObject({
          endpoint: z.string().meta({ ref: "address" }),
          login: z
            .string()
            .optional()
            .meta({ ref: "credential", goesTo: [{ address: "endpoint" }] }),
        }),
      ),
      script: z.string().default("").meta({ widget: "javascript" }),
      choice: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("one"), who: z.string().meta({ ref: "agent" }) }),
        z.strictObject({ kind: z.literal("other"), who: z.string().meta({ ref: "document-store" }) }),
      ]),
    });
    const settings = {
      servers: [{ endpoint: "https://a.example", login: "c1" }, { endpoint: "https://b.example" }, "odd"],
      script: "return $vars.secret + $vars.secret;",
      choice: { kind: "other", who: "s" },
    };
    const found = referencesOf(settings, { schema: planted, component: "planted" }, findComponent);
    assert.deepEqual(
      found.map(({ kind, id, path }) => `${kind} ${id} ${path.join(".")}`),
      [
        "address https://a.example servers.0.endpoint",
        "credential c1 servers.0.login",
        "address https://b.example servers.1.endpoint",
        "variable secret script",
        "variable * script",
        "document-store s choice.who",
      ],
    );
    assert.deepEqual(found[1]?.beside, settings.servers[0]);
  });

  it("of settings that are no settings are none", () => {
    for (const odd of [null, "text", 7, [], [[]], { tools: "x", model: [1], knowledge: { a: 1 } }])
      assert.deepEqual(ofFlow({ nodes: [{ id: "a", type: "agent", config: odd as Json }] }), []);
    assert.deepEqual(ofFlow({ nodes: [{ id: "a", type: "no-such-type", config: { credential: "c" } }] }), []);
  });
});
