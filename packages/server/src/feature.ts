import type { Tables } from "@weft/database";
import type { Route } from "@weft/http";
import type { Role } from "@weft/run-host";
import type { Context } from "./context.ts";
import type { FeatureHooks } from "./feature-events.ts";

/**
 * Services that features offer each other, by name. Each adds its own beside its definition:
 * `declare module "../feature.ts" { interface Services { tools: ToolService } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface Services {}

type Name = keyof Services;

export type Needs<Need extends Name> = Pick<Services, Need>;

/**
 * A part of the platform: the service and routes it offers, its reactions to changes by others, its background work.
 */
export type Feature<Service = unknown, Need extends Name = Name> = {
  name: string;
  /** The features whose services it uses. These are created first. */
  needs?: readonly Need[];
  /** Tables that it owns: its stores write them. Their migrations are in the one list of `@weft/database`. */
  tables?: readonly (keyof Tables)[];
  /**
   * Creates the service for its other functions and for dependent features. Opens and starts nothing that `stop` does
   * not end.
   */
  service?(context: Context, needs: Needs<Need>): Service | Promise<Service>;
  routes?(service: Service, needs: Needs<Need>, context: Context): readonly Route[];
  on?(service: Service, needs: Needs<Need>, context: Context): FeatureHooks;
  /** Resolves when its background work has started. Features start in the order of their list. */
  start?(service: Service, needs: Needs<Need>, context: Context): Promise<void> | void;
  /** Resolves when all of its work has ended. Features stop in reverse order, including those that were not started. */
  stop?(service: Service, needs: Needs<Need>): Promise<void> | void;
  /** The roles of processes that serve its routes. Default: those that clients call. */
  servedBy?: readonly Role[];
  /** The roles of processes that start and stop it. Default: all. */
  startedBy?: readonly Role[];
};

/** The service type declared for the feature of this name. */
type Promised<Of extends string> = Of extends Name ? Services[Of] : unknown;

/** Declares a feature, with or without a service. */
export function defineFeature<const Of extends string, Service extends Promised<Of>, Need extends Name = never>(
  feature: Feature<Service, Need> & { name: Of; service: unknown },
): Feature;
export function defineFeature<Need extends Name = never>(
  feature: Feature<undefined, Need> & { service?: undefined },
): Feature;
export function defineFeature(feature: object): Feature {
  return feature as Feature;
}

export type OpenFeature = Pick<Feature, "name" | "tables"> & {
  routes: readonly Route[];
  on?: FeatureHooks | undefined;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
};

/** Creates the service of each feature after those that it needs. Throws if the list cannot be ordered. */
export async function openFeatures(
  context: Context,
  features: readonly Feature[],
): Promise<{ services: Services; features: OpenFeature[] }> {
  const services: Record<string, unknown> = {};
  const needsOf = ({ needs = [] }: Feature) =>
    Object.fromEntries(needs.map((name) => [name, services[name]])) as unknown as Services;
  for (const feature of inOrderOfNeeds(features)) {
    services[feature.name] = await feature.service?.(context, needsOf(feature));
  }
  const open = (feature: Feature): OpenFeature => {
    const { name, tables = [], servedBy = ["all", "api"], startedBy = ["all", "api", "worker"] } = feature;
    const { role } = context.config;
    const [service, needs] = [services[name], needsOf(feature)];
    return {
      name,
      tables,
      routes: servedBy.includes(role) ? (feature.routes?.(service, needs, context) ?? []) : [],
      on: feature.on?.(service, needs, context),
      ...(startedBy.includes(role) && {
        start: () => feature.start?.(service, needs, context),
        stop: () => feature.stop?.(service, needs),
      }),
    };
  };
  return { services: services as unknown as Services, features: features.map(open) };
}

function inOrderOfNeeds(features: readonly Feature[]): Feature[] {
  const ordered = new Set<Feature>();
  const add = (feature: Feature, trail: readonly string[]): void => {
    const path = [...trail, feature.name];
    if (trail.includes(feature.name)) throw new Error(`Features need each other: ${path.join(" → ")}.`);
    for (const need of feature.needs ?? []) {
      const needed = features.find(({ name }) => name === need);
      if (needed?.service === undefined)
        throw new Error(`The feature ${feature.name} needs ${need}, which no feature makes.`);
      add(needed, path);
    }
    ordered.add(feature);
  };
  for (const feature of features) add(feature, []);
  return [...ordered];
}

/** Starts features one after the other. If one rejects, those before it are stopped. */
export async function startFeatures(features: readonly OpenFeature[]): Promise<void> {
  for (const [index, feature] of features.entries()) {
    try {
      await feature.start?.();
    } catch (cause) {
      await stopFeatures(features.slice(0, index));
      throw cause;
    }
  }
}

export async function stopFeatures(features: readonly OpenFeature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.stop?.();
}
