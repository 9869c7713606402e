import type { Tables } from "@weft/database";
import type { Route } from "@weft/http";
import type { Role } from "@weft/run-host";
import type { Context } from "./context.ts";
import type { FeatureHooks } from "./feature-events.ts";

/**
 * What features do for each other, by their names. Each adds its own beside its definition:
 * `declare module "../feature.ts" { interface Services { tools: ToolService } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface Services {}

type Name = keyof Services;

/** The services of these features. */
export type Needs<Need extends Name> = Pick<Services, Need>;

/** A part of the platform: what it does for others and serves, what it does when others change something, what it keeps going. */
export type Feature<Service = unknown, Need extends Name = Name> = {
  name: string;
  /** The features whose services it uses. These are made first. */
  needs?: readonly Need[];
  /** Tables that it owns: its stores write them. Their migrations stand in the one list of `@weft/database`. */
  tables?: readonly (keyof Tables)[];
  /** Makes what its other functions get, and features that need it. Opens and begins nothing that `stop` does not end. */
  service?(context: Context, needs: Needs<Need>): Service | Promise<Service>;
  routes?(service: Service, needs: Needs<Need>, context: Context): readonly Route[];
  on?(service: Service, needs: Needs<Need>, context: Context): FeatureHooks;
  /** Resolves when what it keeps going was begun. Features start in the order of their list. */
  start?(service: Service, needs: Needs<Need>, context: Context): Promise<void> | void;
  /** Resolves when nothing of it goes on. Features stop in the opposite order, also those that were not started. */
  stop?(service: Service, needs: Needs<Need>): Promise<void> | void;
  /** The roles of processes that serve its routes. Default: those that clients call. */
  servedBy?: readonly Role[];
  /** The roles of processes that start and stop it. Default: all. */
  startedBy?: readonly Role[];
};

/** The service that the feature of a name promises to others. */
type Promised<Of extends string> = Of extends Name ? Services[Of] : unknown;

/** Declares a feature that makes a service, or one that makes none. */
export function defineFeature<const Of extends string, Service extends Promised<Of>, Need extends Name = never>(
  feature: Feature<Service, Need> & { name: Of; service: unknown },
): Feature;
export function defineFeature<Need extends Name = never>(
  feature: Feature<undefined, Need> & { service?: undefined },
): Feature;
export function defineFeature(feature: object): Feature {
  return feature as Feature;
}

/** A feature of a running platform. */
export type OpenFeature = Pick<Feature, "name" | "tables"> & {
  routes: readonly Route[];
  on?: FeatureHooks | undefined;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
};

/** Makes the service of each feature after those that it needs. Throws where the list cannot be made. */
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

/** Starts features one after the other. When one rejects, those before it are stopped. */
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
