import { posix } from "node:path";
import type { Doors } from "./house/doors.ts";

/** Every TypeScript file by its path from the root, and the dependencies that each workspace folder declares. */
export type Workspace = { files: Map<string, string>; dependencies: Map<string, Set<string>>; doors: Doors };

/** What a package may import of this repository. Source: ARCHITECTURE.md, layering. A new package needs a line here. */
const layers: Record<string, RegExp> = {
  "packages/schema": /^$/,
  "packages/engine": /^schema$/,
  "packages/dialects": /^(engine|schema)$/,
  imports: /^(dialects|engine|schema)$/,
  "packages/nodes": /^(engine|schema)$/,
  "packages/integrations": /^(engine|knowledge|schema)$/,
  "packages/providers": /^(engine|knowledge|schema|workers)$/,
  "packages/knowledge": /^schema$/,
  "packages/egress": /^(engine|schema)$/,
  "packages/workers": /^schema$/,
  "packages/sandbox": /^(engine|schema|workers)$/,
  "packages/documents": /^(knowledge|schema|workers)$/,
  "packages/database": /^engine$/,
  "packages/http": /^(database|engine|schema|workers)$/,
  "packages/agents": /^(database|dialects|engine|http|schema)$/,
  "packages/chats": /^(database|engine|http|run-host|schema|workers)$/,
  "packages/identity": /^(database|engine|http|schema)$/,
  "packages/vector-stores": /^(database|engine|providers|schema|workers)$/,
  "packages/run-host": /^(agents|database|engine|http|schema|workers)$/,
  "packages/document-stores":
    /^(database|documents|egress|engine|http|knowledge|providers|run-host|schema|vector-stores|workers)$/,
  "packages/telemetry": /^(database|egress|engine|http|run-host|schema)$/,
  "packages/flowise-source": /^$/,
  "packages/sql": /^(egress|engine|schema|workers)$/,
  "packages/client": /^schema$/,
  "packages/conversation": /^client$/,
  "packages/builder": /^(client|conversation|schema)$/,
  "packages/widget": /^(conversation|schema)$/,
  "packages/server": /^(?!(client|builder|widget|workbench)$)/,
  "packages/workbench": /^(?!(client|builder|widget)$)/,
  "apps/event-api": /^$/,
};

/** The folders that have a layer. */
export const layered: readonly string[] = Object.keys(layers);

/** Packages that run anywhere: nothing of Node, and of the registry only this. */
const pure: Record<string, RegExp> = {
  "packages/schema": /^(zod|croner)$/,
  "packages/engine": /^(zod|@cfworker\/json-schema)$/,
  "packages/knowledge": /^(zod|htmlparser2|js-tiktoken|chardet)$/,
};

/** Sockets are opened by the egress client and by servers; user code runs in the sandbox, in no other way. */
const sockets = /^node:(http|https|http2|net|tls|dgram)$/;
const socketOwner = /^(packages\/(egress|http|server|workbench)|apps\/event-api)$/;
const codeRunners = /^node:(vm|child_process|repl|inspector)$/;
/**
 * They start the operator's MCP servers, which a flow knows by name alone, PostgreSQL's tools for the command line, and
 * this Node once more, for workers that would take the server with them: native code, and what parses what databases of
 * others answer.
 */
const programStarter =
  /^packages\/(server\/src\/(mcp\/command-servers|backup\/postgres-tools)|workers\/src\/worker\/start-process)\.ts$/;

/** The configuration, and what switches the telemetry of a native library off, which listens to its environment alone. */
const environmentReader =
  /^(packages\/(server\/src\/config|providers\/src\/embedded\/runtime)\.ts|apps\/[^/]+\/src\/main\.ts|(scripts|proof)\/.*)$/;

/**
 * Steps of flows, and what drives them: they wait with a suspension, the engine's clock or an effect. A timer of Node would
 * not survive the process, and not end with the run.
 */
const timeless =
  /^(imports\/src\/|packages\/((nodes|engine|dialects)\/src\/|document-stores\/src\/upserts\/upsert-node\.ts$))/;
const timer = /\b(setTimeout|setInterval|setImmediate)\b|\bAbortSignal\.timeout\b|["'](node:)?timers(\/promises)?["']/;

/** One sentence for each forbidden import, misplaced folder, read of the environment, timer and cycle. */
export function findViolations(workspace: Workspace): string[] {
  const found: string[] = [];
  for (const [path, text] of workspace.files) {
    if (/\/(utils|common|helpers)\//.test(path))
      found.push(`${path}: a helper lives beside its user, in no such folder`);
    if (isTest(path)) continue;
    found.push(...findMisuses(path, text));
    for (const specifier of importsOf(text)) {
      const reason = forbidden(workspace, path, specifier);
      if (reason !== undefined) found.push(`${path}: imports ${specifier}, ${reason}`);
    }
  }
  return [...found, ...findRoomsWithoutDoor(workspace.files), ...findCycles(workspace)];
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes("/testing/");
}

function findMisuses(path: string, text: string): string[] {
  const found: string[] = [];
  if (timeless.test(path) && mentions(text, timer)) {
    found.push(`${path}: waits with a timer, but a step suspends, or uses the engine's clock`);
  }
  if (mentions(text, /\bprocess\.env\b/) && !environmentReader.test(path)) found.push(`${path}: reads process.env`);
  return found;
}

/** Whether a line that is no comment matches. */
function mentions(text: string, pattern: RegExp): boolean {
  return text.split("\n").some((line) => pattern.test(line) && !/^\s*(\/?\*|\/\/)/.test(line));
}

/** Static imports stand at the start of a line (the formatter sees to it), dynamic ones anywhere. */
function importsOf(text: string): string[] {
  const imports = /^(?:import|export)\s(?:[^"';=]*?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  return [...text.matchAll(imports)].map((match) => match[1] ?? match[2] ?? "");
}

function forbidden({ files, dependencies }: Workspace, path: string, specifier: string): string | undefined {
  const home = /^(?:imports|(?:packages|apps)\/[^/]+)/.exec(path)?.[0];
  if (home === undefined) return undefined;
  if (programStarter.test(path) && specifier === "node:child_process") return undefined;
  if (hasRoutes(files, path) && /^@weft\/database(\/|$)/.test(specifier)) return "but a route calls its service";
  if (!specifier.startsWith(".")) return forbiddenPackage(home, specifier, dependencies.get(home));
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`${home}/`)) return "a file of another package";
  const door = doorBetween(files, path, target);
  if (door !== undefined && door !== target) return `but its room is entered by ${door}`;
  if (hasRoutes(files, path) && target.endsWith(".store.ts")) return "but a route calls its service";
  return forbiddenBetweenFeatures(path, target);
}

/** Whether a file holds routes: `x.routes.ts`, and the declaration of a feature that has its routes there. */
function hasRoutes(files: Map<string, string>, path: string): boolean {
  if (path.endsWith(".routes.ts")) return true;
  return declaration.test(path) && /\bdefineR(oute|esource)\(/.test(files.get(path) ?? "");
}

function forbiddenPackage(home: string, specifier: string, declared: Set<string> | undefined): string | undefined {
  const layer = layers[home];
  if (layer === undefined) return `and ${home} has no layer in scripts/architecture.ts`;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (name.startsWith("@weft/")) {
    if (!layer.test(name.slice("@weft/".length))) return "a layer that it must not know";
  } else if (pure[home]?.test(name) === false) return "but this package is pure";
  if (sockets.test(name) && !socketOwner.test(home)) return "but only packages/egress leaves the process";
  if (codeRunners.test(name)) return "but foreign code runs in packages/sandbox alone";
  return name.startsWith("node:") || declared?.has(name) ? undefined : `which ${home}/package.json does not declare`;
}

/** Where a feature is declared: a second door of its room, for the list of features alone. */
const declaration = /\/feature\.ts$/;

/** The door of the outermost room around `target` that `path` stands outside of. */
function doorBetween(files: Map<string, string>, path: string, target: string): string | undefined {
  let door: string | undefined;
  if (path.endsWith("/src/features.ts") && declaration.test(target)) return undefined;
  for (let room = posix.dirname(target); !room.endsWith("/src") && room !== "."; room = posix.dirname(room)) {
    if (files.has(`${room}/index.ts`) && !path.startsWith(`${room}/`)) door = `${room}/index.ts`;
  }
  return door;
}

/** A folder with more files than these has a door. */
const mostWithoutDoor = 5;
/** Packages whose parts were gathered in rooms. */
const withRooms =
  /^packages\/(agents|builder|chats|document-stores|identity|run-host|server|vector-stores|workbench)\/src\//;

function findRoomsWithoutDoor(files: Map<string, string>): string[] {
  const parts = [...files.keys()].filter((path) => withRooms.test(path) && !isTest(path) && !declaration.test(path));
  const rooms = Map.groupBy(parts, (path) => posix.dirname(path));
  return [...rooms].flatMap(([room, inside]) => {
    const isRoom = inside.length > mostWithoutDoor && /\/src\/./.test(room) && !room.endsWith("/cli");
    return isRoom && !files.has(`${room}/index.ts`) ? [`${room}: ${inside.length} files and no index.ts`] : [];
  });
}

/** Packages whose folders are features. */
const featureFolder = /^packages\/(?:agents|chats|identity|server)\/src\/([^/]+)\//;

function forbiddenBetweenFeatures(path: string, target: string): string | undefined {
  const feature = (file: string) => featureFolder.exec(file)?.[1];
  const isStore = target.endsWith(".store.ts");
  const own = feature(path);
  // Files outside the features and the command line put the parts together.
  if (!isStore || own === undefined || own === "cli" || own === feature(target)) return undefined;
  return "the store of another feature: call its service";
}

function findCycles({ files, doors }: Workspace): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
    if (done.has(path)) return;
    done.add(path);
    for (const specifier of importsOf(files.get(path) ?? "")) {
      const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : doors(specifier);
      if (target !== undefined && files.has(target)) visit(target, [...trail, path]);
    }
  };
  for (const path of files.keys()) visit(path, []);
  return cycles;
}
