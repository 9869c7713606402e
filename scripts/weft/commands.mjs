/**
 * What `./weft NAME` runs, in the order of the list that `./weft` prints. Some are scripts of package.json too.
 *
 * @typedef {object} Command
 * @property {string} does One line for the list.
 * @property {readonly (readonly string[])[]} runs Arguments of Node, one list for each process; they run one after the
 *   other until one fails. What the user adds goes to the last.
 * @property {readonly (readonly (readonly string[])[])[]} [lanes] In place of `runs`: lists of them that run side by side.
 * @property {"run"} [needs] The level of packages (scripts/ensure.mjs): "run" for what works beside a server. Default: all.
 */

const cli = (command) => [["scripts/command.mjs", "cli", command]];
const pages = ["scripts/ensure-builder.mjs"];
const tsc = "node_modules/typescript/bin/tsc";
const biome = ["node_modules/@biomejs/biome/bin/biome", "check"];

const checks = {
  "check:types": {
    does: "checks the types",
    runs: [[], ["-p", "packages/builder"], ["-p", "packages/widget"], ["-p", "proof"]].map((of) => [
      tsc,
      "--noEmit",
      ...of,
    ]),
  },
  "check:lint": { does: "checks lint and format", runs: [[...biome, "--error-on-warnings", "."]] },
  "check:dead-code": {
    does: "finds files, exports and packages that nobody uses",
    runs: [["node_modules/knip/bin/knip.js", "--no-config-hints"]],
  },
  "check:builder-size": {
    does: "compares the size of the web interface with its budget",
    runs: [pages, ["scripts/builder-size.ts"]],
  },
  "check:audit": { does: "asks the registry for advisories of runtime packages", runs: [["scripts/runtime/audit.ts"]] },
};

/** The types take as long as all others. */
function checkLanes() {
  const { "check:types": types, ...others } = checks;
  return [types.runs, Object.values(others).flatMap(({ runs }) => runs)];
}

/** @type {Readonly<Record<string, Readonly<Record<string, Command>>>>} */
export const groups = {
  "Operate an installation": {
    token: { does: "prints a token for the shell", runs: cli("token"), needs: "run" },
    "reset-password": { does: "sets a new password for an account", runs: cli("reset-password"), needs: "run" },
    "rotate-keys": { does: "re-encrypts every credential with a new key", runs: cli("rotate-keys"), needs: "run" },
    doctor: { does: "reports what an operator should know or do", runs: cli("doctor"), needs: "run" },
    backup: { does: "backs up the database and the keys", runs: cli("backup"), needs: "run" },
    restore: { does: "verifies a backup and restores it", runs: cli("restore"), needs: "run" },
    export: { does: "writes agents and what belongs to them into a file", runs: cli("export"), needs: "run" },
    import: { does: "adds what another installation exported", runs: cli("import"), needs: "run" },
    "import-flowise": {
      does: "takes over a whole Flowise installation",
      runs: [["--max-semi-space-size=4", "--optimize-for-size", ...cli("import-flowise")[0]]],
      needs: "run",
    },
    "copy-from-flowise": {
      does: "copies agents from a running Flowise",
      runs: [["scripts/copy-from-flowise.ts"]],
      needs: "run",
    },
    cluster: { does: "runs several processes behind one address", runs: [["scripts/cluster.ts"]], needs: "run" },
    "event-api": { does: "runs only the reference event API", runs: [["apps/event-api/src/main.ts"]], needs: "run" },
    flow: {
      does: "checks, converts, runs and tests flows in files",
      runs: [["scripts/command.mjs", "workbench"]],
      needs: "run",
    },
  },
  "Change it": {
    test: {
      does: "runs every behaviour's test once, or files whose path contains a word",
      runs: [["scripts/test.mjs"]],
    },
    "test:fast": { does: "runs the tests that a change concerns", runs: [["scripts/test.mjs", "--fast"]] },
    "test:long": {
      does: "runs the rest: on PostgreSQL, kills, faults, attacks, simulation, chaos, browser",
      runs: [["scripts/test-long.mjs"]],
    },
    "test:loaded": { does: "runs all tests three times beside eight busy loops", runs: [["scripts/test-loaded.mjs"]] },
    "test:browser": { does: "tests the pages in Chromium", runs: [pages, ["scripts/test.mjs", "--browser"]] },
    check: { does: "runs the five checks below", runs: [], lanes: checkLanes() },
    ...checks,
    format: { does: "formats the code and applies lint fixes", runs: [[...biome, "--write", "."]] },
    builder: { does: "builds the web interface and the chat client", runs: [pages], needs: "run" },
    screenshots: { does: "takes pictures of every page", runs: [pages, ["proof/e2e/screenshots/main.ts"]] },
    house: { does: "measures the structure of the sources", runs: [["scripts/house.ts"]] },
    changes: { does: "prints what the next release will say has changed", runs: [["scripts/changes.ts"]] },
    release: { does: "tags a version and makes its files, with checksums", runs: [["scripts/release/main.ts"]] },
  },
  "Break and measure it": {
    fuzz: { does: "sends valid and invalid requests", runs: [["packages/server/src/testing/fuzz-main.ts"]] },
    attack: { does: "attacks a running server", runs: [["proof/attacks/main.ts"]] },
    chaos: { does: "kills, freezes and starves servers under load", runs: [["proof/chaos/main.ts"]] },
    sim: { does: "simulates processes, clients and faults on virtual time", runs: [["proof/sim/main.ts"]] },
    faults: { does: "makes every call of the engine fail", runs: [["packages/engine/src/testing/faults-main.ts"]] },
    mutants: { does: "plants faults that tests must catch", runs: [["scripts/mutants.ts"]] },
    bench: { does: "measures speed, memory and disk", runs: [["proof/bench/main.ts"]] },
    "bench:picture": { does: "draws the history of figures", runs: [["proof/bench/picture.ts"]] },
    "bench:peers": { does: "measures other durable engines beside Weft", runs: [["proof/bench/peers.ts"]] },
    "bench:files": { does: "compares the text of real files with what is expected", runs: [["proof/bench/files.ts"]] },
    "bench:retrieval": { does: "measures how well questions find answers", runs: [["proof/bench/retrieval.ts"]] },
    soak: { does: "looks for growth under a long load", runs: [["proof/bench/soak.ts"]] },
  },
  "Make generated files again": {
    openapi: { does: "openapi.json", runs: [["packages/server/src/cli/main.ts", "openapi", "openapi.json"]] },
    messages: {
      does: "the values of texts, the list of the server's; prints what languages lack",
      runs: [["scripts/messages/main.ts"]],
    },
    client: { does: "the typed client", runs: [["scripts/generate-client.ts"]] },
    conformance: {
      does: "docs/conformance.md and docs/reference-check.md",
      runs: [["packages/server/src/testing/conformance/testing/conformance-main.ts"]],
    },
    configuration: { does: "docs/configuration.md", runs: [["scripts/configuration.ts"]] },
    errors: { does: "docs/errors.md", runs: [["scripts/errors.ts"]] },
    decisions: { does: "docs/decisions/README.md", runs: [["scripts/decisions.ts"]] },
    compatibility: { does: "docs/compatibility.md", runs: [["scripts/compatibility.ts"]] },
    providers: { does: "docs/model-providers.md", runs: [["scripts/model-providers.ts"]] },
    licences: { does: "docs/licences.md", runs: [["scripts/runtime/licences.ts"]] },
    prices: { does: "the list prices of models", runs: [["scripts/model-prices.ts"]] },
    templates: { does: "the positions of steps in templates", runs: [["scripts/lay-out-templates.ts"]] },
    icons: { does: "the icons that the builder imports", runs: [["scripts/icons.ts"]] },
    marks: { does: "the marks of vendors", runs: [["scripts/vendor-marks.ts"]] },
    cmaps: { does: "the CMaps of PDF files", runs: [["scripts/pdf-cmaps.ts"]] },
  },
};

/** @type {ReadonlyMap<string, Command>} */
export const commands = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));
