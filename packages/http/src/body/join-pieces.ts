import { createPause } from "@weft/workers";

/**
 * Puts pieces together in turns with everything else that the process does: memory that is written for the first time
 * costs far more than the copy. The pieces are let go one by one, so that a large text is never held twice.
 */
export async function joinPieces(pieces: Uint8Array[], sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const pause = createPause();
  let length = 0;
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    bytes.set(piece, length);
    length += piece.length;
    await pause();
  }
  return bytes;
}
