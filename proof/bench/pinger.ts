// Another process that asks the address it is given every 5 ms, one request at a time, and sends how long each took, in ms,
// once it is told to stop.

const [address = ""] = process.argv.slice(2);
const times: number[] = [];
let isStopped = false;
process.once("message", () => {
  isStopped = true;
});
while (!isStopped) {
  const startedAt = performance.now();
  await (await fetch(address)).text();
  times.push(performance.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.send?.(times, () => process.disconnect());

export {};
