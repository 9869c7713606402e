import assert from "node:assert/strict";
import { it } from "node:test";
import { readArguments, UsageError } from "./arguments.ts";

it("measures three rounds on SQLite unless it is told otherwise", () => {
  assert.deepEqual(readArguments([], {}), {
    kind: "figures",
    isQuick: false,
    rounds: 3,
    seconds: 3,
    isLong: false,
    isCheck: false,
    only: [],
  });
});

it("compares with the last release in five rounds", () => {
  const command = readArguments(["--check"], {});
  assert.deepEqual([command.kind === "figures" && command.isCheck, command.rounds], [true, 5]);
  assert.equal(readArguments(["--check", "--rounds", "2"], {}).rounds, 2);
});

it("takes PostgreSQL from the command line before the environment", () => {
  const [given, other] = ["postgres://a@db/x", "postgresql://b@db/y"];
  const postgresUrl = (args: string[], env: Record<string, string>) => {
    const command = readArguments(args, env);
    return command.kind === "figures" ? command.postgresUrl : undefined;
  };
  assert.equal(postgresUrl(["--postgres", given], { TEST_POSTGRES_URL: other }), given);
  assert.equal(postgresUrl([], { TEST_POSTGRES_URL: other }), other);
  assert.equal(postgresUrl([], { TEST_POSTGRES_URL: "" }), undefined);
});

it("is quick in one round of a second, and takes other sizes, names and a file", () => {
  const args = ["--quick", "--seconds", "0.5", "--only", "start, memory", "--json", "figures.json", "--long"];
  assert.deepEqual(readArguments(args, {}), {
    kind: "figures",
    isQuick: true,
    rounds: 1,
    seconds: 0.5,
    isLong: true,
    isCheck: false,
    only: ["start", "memory"],
    jsonFile: "figures.json",
  });
});

it("measures another server by an agent or by a flow", () => {
  const args = ["--against", "http://127.0.0.1:3000/", "--key", "k", "--model", "http://127.0.0.1:9100/v1"];
  const size = { isQuick: false, rounds: 3, seconds: 3 };
  const server = { url: "http://127.0.0.1:3000", key: "k", modelUrl: "http://127.0.0.1:9100/v1" };
  assert.deepEqual(readArguments([...args, "--agent", "a"], {}), { ...size, ...server, kind: "against", agentId: "a" });
  assert.deepEqual(readArguments([...args, "--flow", "f"], {}), { ...size, ...server, kind: "against", flowFile: "f" });
});

const refused: [args: string[], reason: RegExp][] = [
  [["--unknown"], /--unknown/],
  [["5"], /5/],
  [["--rounds", "none"], /--rounds must be a number above 0, not "none"/],
  [["--seconds", "0"], /--seconds must be a number above 0/],
  [["--postgres", "http://db"], /--postgres must be an address that starts with postgres:/],
  [["--agent", "a"], /--agent needs --against/],
  [["--against", "localhost:3000", "--agent", "a"], /--against must be an address that starts with http:/],
  [["--against", "http://h"], /Give --agent ID, or --flow FILE/],
  [["--against", "http://h", "--agent", "a", "--flow", "f"], /either --agent or --flow/],
  [["--against", "http://h", "--agent", "a", "--only", "start"], /--only does not go with --against/],
  [["--against", "http://h", "--agent", "a", "--long"], /--long and --check do not go with --against/],
  [["--against", "http://h", "--agent", "a", "--check"], /--long and --check do not go with --against/],
];

for (const [args, reason] of refused) {
  it(`refuses ${args.join(" ")}`, () => {
    assert.throws(
      () => readArguments(args, {}),
      (error) => error instanceof UsageError && reason.test(error.message),
    );
  });
}
