/** What one document may cost, and how many are read at once. */
export type DocumentLimits = {
  /** From the moment a worker takes the document. Default 30,000. */
  timeoutMs: number;
  /** Heap and buffers of a worker. Default 512 MiB. */
  memoryBytes: number;
  /** Size of a file. Default 100 MiB. */
  inputBytes: number;
  /** Length of the whole text. Default 20,000,000. */
  textCharacters: number;
  /** All parts of a zip archive that are read, unpacked. Default 200 MiB. */
  unzippedBytes: number;
  /** Unpacked bytes for each packed one, in a part of more than 1 MiB. Default 200. */
  zipRatio: number;
  /** Parts of a zip archive. Default 10,000. */
  zipEntries: number;
  /** Pages of a PDF. Default 5,000. */
  pages: number;
  /** Cells of all sheets together. Default 2,000,000. */
  cells: number;
  /** Documents read at the same time, each on a thread of its own. One caller has half of them at most. Default 4. */
  workers: number;
  /** Documents that wait for a worker; one more is refused. One caller has half of the line at most. Default 200. */
  waiting: number;
  /** How long an unused worker is kept. Default 30,000. */
  idleMs: number;
};

export const standardLimits: DocumentLimits = {
  timeoutMs: 30_000,
  memoryBytes: 512 * 1024 * 1024,
  inputBytes: 100 * 1024 * 1024,
  textCharacters: 20_000_000,
  unzippedBytes: 200 * 1024 * 1024,
  zipRatio: 200,
  zipEntries: 10_000,
  pages: 5_000,
  cells: 2_000_000,
  workers: 4,
  waiting: 200,
  idleMs: 30_000,
};
