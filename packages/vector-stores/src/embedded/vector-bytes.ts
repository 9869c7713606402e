/** A vector as the database keeps it. Numbers are little-endian, as on every machine that Node runs on but s390x. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
