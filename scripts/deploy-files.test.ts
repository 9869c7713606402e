import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Validator } from "@cfworker/json-schema";
import { parse, parseAllDocuments } from "yaml";
import { until } from "../packages/database/src/testing/until.ts";
import { hasRedis } from "../packages/run-host/src/dispatch/testing/test-redis.ts";
import { environmentVariables } from "../packages/server/src/config.ts";
import { freePort } from "../packages/server/src/testing/free-port.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const composeFile = read("compose.yaml");
const kubernetesFile = read("deploy/kubernetes/weft.yaml");

type Service = {
  environment?: Record<string, string>;
  profiles?: string[];
  deploy?: { replicas: number };
  command?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
};
type Compose = { services: Record<string, Service> };
type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what it is.
  spec?: any;
};

const toCompose = (text: string): Compose => parse(text, { merge: true });
const toObjects = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);

// The Compose specification's own schema, as `dclint` brings it.
const composeSchema = JSON.parse(read("node_modules/dclint/schemas/compose.schema.json"));

function mistakesInCompose(text: string): string[] {
  const { errors } = new Validator(composeSchema, "7", false).validate(toCompose(text));
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
}

const isKeda = (apiVersion: string) => apiVersion.startsWith("keda.sh/");
const moduleOf = ({ apiVersion, kind }: KubernetesObject) =>
  `${isKeda(apiVersion) ? "@kubernetes-models/keda" : "kubernetes-models"}/${apiVersion}/${kind}`;

/** By the published OpenAPI schemas, which let unknown keys pass. */
async function validate(object: KubernetesObject): Promise<void> {
  const { [object.kind]: Model } = await import(moduleOf(object));
  new Model(object).validate();
}

/** Those of the texts whose objects are not of their types, which are made from the same schemas and refuse unknown keys. */
function mistyped(t: TestContext, texts: readonly string[]): Map<number, string> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/kubernetes-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const files = texts.map((text, index) => {
    const lines = toObjects(text).map(
      (object, at) =>
        `export const object${at}: import("${moduleOf(object)}").I${object.kind} = ${JSON.stringify(object)};`,
    );
    const file = join(folder, `text${index}.mts`);
    writeFileSync(file, lines.join("\n"));
    return file;
  });
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--target", "esnext", "--types", ""];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, ...flags, "--module", "nodenext", ...files];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  assert.equal(stderr, "");
  const errors = stdout.matchAll(/text(\d+)\.mts\S* *-? *error (.*)/g);
  return new Map([...errors].map(([, index, error = ""]) => [Number(index), error]));
}

/** The same text with one key misspelt, for each of these keys. */
function misspell(text: string, keys: readonly string[]): string[] {
  return keys.map((key) => {
    const changed = text.replaceAll(`${key}:`, `${key}x:`);
    assert.notEqual(changed, text, `${key} is not in the file`);
    return changed;
  });
}

test("compose.yaml follows the Compose specification, and a misspelt key does not", () => {
  assert.deepEqual(mistakesInCompose(composeFile), []);
  const keys = ["replicas", "profiles", "depends_on", "condition", "healthcheck", "stop_grace_period", "image"];
  for (const [index, text] of misspell(composeFile, keys).entries()) {
    assert.notDeepEqual(mistakesInCompose(text), [], keys[index]);
  }
});

test("compose.yaml is one container by itself, and a cluster of two roles by its profile", () => {
  const { services } = toCompose(composeFile);
  const inProfile = (profile: string) =>
    Object.keys(services).filter((name) => services[name]?.profiles?.includes(profile) ?? false);
  const always = Object.keys(services).filter((name) => services[name]?.profiles === undefined);
  assert.deepEqual(always, ["weft"]);
  assert.deepEqual(inProfile("cluster").toSorted(), ["api", "postgres", "proxy", "valkey", "worker"]);
  for (const role of ["api", "worker"]) {
    assert.equal(services[role]?.deploy?.replicas, 2);
    assert.equal(services[role]?.environment?.ROLE, role);
  }
});

test("no container of compose.yaml gets more rights than it has, and only the database writes outside of its volumes", () => {
  const { services } = toCompose(composeFile);
  for (const [name, { read_only, tmpfs, cap_drop, security_opt }] of Object.entries(services)) {
    assert.deepEqual([cap_drop, security_opt], [["ALL"], ["no-new-privileges:true"]], name);
    if (name !== "postgres") assert.deepEqual([read_only, tmpfs], [true, ["/tmp"]], name);
  }
  assert.match(services.api?.environment?.REDIS_URL ?? "", /^redis:\/\/:\$\{VALKEY_PASSWORD:-\}@valkey:6379$/);
});

test("the command of Valkey refuses to start without a password, and to answer without it", {
  skip: !hasRedis() && "redis-server is not installed",
}, async (t) => {
  const { valkey } = toCompose(composeFile).services;
  const [shell = "", flag = "", script = ""] = valkey?.command ?? [];
  const port = String(await freePort());
  const text = script
    .replaceAll("$$", "$")
    .replace("valkey-server -", `redis-server - --bind 127.0.0.1 --port ${port}`);
  const env = (VALKEY_PASSWORD: string) => ({ PATH: process.env.PATH, VALKEY_PASSWORD });
  const without = spawnSync(shell, [flag, text], { env: env(""), encoding: "utf8" });
  assert.equal(without.status, 1);
  assert.match(without.stderr, /VALKEY_PASSWORD/);
  const server = spawn(shell, [flag, text], { env: env("secret"), stdio: "ignore", detached: true });
  t.after(() => process.kill(-(server.pid ?? assert.fail()), "SIGKILL"));
  const ping = (REDISCLI_AUTH: string) => {
    const options = { env: { PATH: process.env.PATH, REDISCLI_AUTH }, encoding: "utf8" } as const;
    return spawnSync("redis-cli", ["-p", port, "ping"], options).stdout.trim();
  };
  await until(() => (ping("secret") === "PONG" ? true : undefined));
  assert.match(ping(""), /NOAUTH/);
});

/** The words of an instruction of the Dockerfile's last stage, the last one where there are several. */
function instruction(name: string): string {
  const stage =
    read("Dockerfile")
      .replaceAll("\\\n", " ")
      .split(/^FROM /m)
      .at(-1) ?? "";
  const lines = stage.split("\n").filter((line) => line.startsWith(`${name} `));
  return lines.at(-1)?.slice(name.length + 1) ?? assert.fail(`no ${name}`);
}

const commandOf = (words: string): string[] => JSON.parse(words.slice(words.indexOf("[")));
const nobody = "65534";
/** Whether another user may read these files: in a folder of its owner alone nothing can be tried. */
const isReadable =
  spawnSync("setpriv", [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", process.execPath, "--version"])
    .status === 0;
const canMount = process.platform === "linux" && isReadable && spawnSync("unshare", ["--mount", "true"]).status === 0;

test("the image's command serves as another user from files that nobody can write, and its health check tells", {
  skip: !canMount && "mounting takes rights that this process has not",
}, async (t) => {
  assert.equal(instruction("USER"), "node");
  const dataDir = mkdtempSync("/tmp/weft-image-");
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o700);
  chownSync(dataDir, 65_534, 65_534);
  const [, ...args] = commandOf(instruction("CMD"));
  const port = String(await freePort());
  const env = { PORT: port, HOST: "127.0.0.1", DATA_DIR: dataDir, EVENT_API: "false", NODE_ENV: "production" };
  const script = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && ! touch written 2>/dev/null &&
    exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all "$@"`;
  const command = ["--mount", "sh", "-c", script, root, process.execPath, ...args];
  const server = spawn("unshare", command, { env: { ...env, PATH: process.env.PATH }, stdio: "ignore" });
  t.after(async () => {
    if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
  });
  const [, ...check] = commandOf(instruction("HEALTHCHECK"));
  const health = () => spawnSync(process.execPath, check, { env, encoding: "utf8" }).status;
  assert.equal(health(), 1);
  await until(() => {
    assert.equal(server.exitCode, null, "the server ended");
    return health() === 0 ? true : undefined;
  });
});

test("the Kubernetes objects follow their schemas, and a misspelt key does not", async (t) => {
  const objects = toObjects(kubernetesFile);
  const kinds = objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);
  assert.deepEqual(kinds, [
    "Secret weft",
    "ConfigMap weft",
    "Service weft",
    "Deployment weft-api",
    "HorizontalPodAutoscaler weft-api",
    "PodDisruptionBudget weft-api",
    "Deployment weft-worker",
    "PodDisruptionBudget weft-worker",
    "ScaledObject weft-worker",
  ]);
  for (const object of objects) await validate(object);
  const keys = [
    "terminationGracePeriodSeconds",
    "readinessProbe",
    "readOnlyRootFilesystem",
    "averageUtilization",
    "maxUnavailable",
    "maxReplicaCount",
    "envFrom",
  ];
  const found = mistyped(t, [kubernetesFile, ...misspell(kubernetesFile, keys)]);
  assert.equal(found.get(0), undefined);
  for (const [index, key] of keys.entries()) assert.match(found.get(index + 1) ?? "", new RegExp(`${key}x?`), key);
});

test("what belongs together in the Kubernetes objects has one name", () => {
  const objects = toObjects(kubernetesFile);
  const deployments = objects.filter(({ kind }) => kind === "Deployment");
  for (const { metadata, spec } of deployments) {
    const { labels } = spec.template.metadata;
    assert.deepEqual(spec.selector.matchLabels, labels);
    assert.equal(metadata.name, `weft-${labels.role}`);
    const [container] = spec.template.spec.containers;
    assert.equal(container.env.find(({ name }: { name: string }) => name === "ROLE").value, labels.role);
    // A stop may take fifteen seconds.
    assert.ok(spec.template.spec.terminationGracePeriodSeconds >= 30);
    const budget = objects.find(
      ({ kind, metadata: { name } }) => kind === "PodDisruptionBudget" && name === metadata.name,
    );
    assert.deepEqual(budget?.spec.selector.matchLabels, labels);
    const scalers = objects.filter(({ spec }) => spec?.scaleTargetRef?.name === metadata.name);
    assert.equal(scalers.length, 1);
  }
});

test("every variable in the files is one that the server reads", () => {
  const { services } = toCompose(composeFile);
  const inCompose = ["weft", "api", "worker"].flatMap((name) => Object.keys(services[name]?.environment ?? {}));
  const inKubernetes = toObjects(kubernetesFile).flatMap(({ data = {}, stringData = {}, spec }) => [
    ...Object.keys({ ...data, ...stringData }),
    ...(spec?.template?.spec.containers ?? []).flatMap(({ env = [] }: { env?: { name: string }[] }) =>
      env.map(({ name }) => name),
    ),
  ]);
  assert.ok(inCompose.length > 8 && inKubernetes.length > 8);
  const known = new Set(environmentVariables);
  assert.deepEqual(
    [...inCompose, ...inKubernetes].filter((name) => !known.has(name)),
    [],
  );
  const ofImages = new Set(["POSTGRES_PASSWORD", "VALKEY_PASSWORD", "WEFT_PORT"]);
  const asked = [...composeFile.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  assert.deepEqual(
    asked.filter((name) => !known.has(name) && !ofImages.has(name)),
    [],
  );
});
