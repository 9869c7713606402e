/** Resource limits of one document, and of concurrent reading. */
export type DocumentLimits = {
  /** From the moment a worker starts the document. Default 30,000. */
  timeoutMs: number;
  /** Heap and buffers of a worker. Default 512 MiB. */
  memoryBytes: number;
  /** Size of a file. Default 100 MiB. */
  inputBytes: number;
  /** Length of the whole text. Default 20,000,000. */
  textCharacters: number;
  /** Total unpacked size of the parts read of a zip archive. Default 200 MiB. */
  unzippedBytes: number;
  /** Maximum compression ratio of a part of more than 1 MiB. Default 200. */
  zipRatio: number;
  /** Parts of a zip archive. Default 10,000. */
  zipEntries: number;
  /** Pages of a PDF. Default 5,000. */
  pages: number;
  /** Cells of all sheets together. Default 2,000,000. */
  cells: number;
  /** Documents read concurrently, each on its own thread. One caller gets at most half of them. Default 4. */
  workers: number;
  /**
   * Documents waiting for a worker; further ones are rejected. One caller gets at most half of the queue. Default 200.
   */
  waiting: number;
  /** How long an idle worker is kept. Default 30,000. */
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
