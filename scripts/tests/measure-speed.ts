/** So many milliseconds of processor time a fixed piece of work takes here and now: parsing, hashing, sorting, allocating. */
export function measureSpeedMs(): number {
  const before = process.cpuUsage();
  let checksum = 0;
  for (let round = 0; round < 12; round += 1) checksum += work(round);
  const { user, system } = process.cpuUsage(before);
  return checksum < 0 ? Number.NaN : (user + system) / 1_000;
}

function work(seed: number): number {
  const rows = Array.from({ length: 2_000 }, (_, index) => ({
    id: `row-${(index * 7_919 + seed) % 2_000}`,
    text: `${index} ${"word ".repeat(index % 12)}`,
    parts: [index, index + seed, { nested: index % 3 === 0 }],
  }));
  const read: typeof rows = JSON.parse(JSON.stringify(rows));
  const counts = new Map<string, number>();
  for (const { text } of read) for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  read.sort((a, b) => (a.id < b.id ? -1 : 1));
  return read.length + counts.size + (read[seed % read.length]?.text.length ?? 0);
}
