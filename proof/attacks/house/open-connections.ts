import { readFileSync } from "node:fs";

/** Connections that the server has not closed, as the kernel lists them. */
export function openConnections(port: number, from: string): number {
  const hex = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, "0");
  const address = from
    .split(".")
    .toReversed()
    .map((part) => hex(Number(part), 2))
    .join("");
  const [established, closeWait] = ["01", "08"];
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local = "", remote = "", state = ""]) =>
        local.endsWith(`:${hex(port, 4)}`) && remote.startsWith(address) && [established, closeWait].includes(state),
    ).length;
}
