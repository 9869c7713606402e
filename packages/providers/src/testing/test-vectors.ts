/** Length of the vectors that scripted embedding servers answer with. */
export const testDimension = 384;

/**
 * A vector that depends on a text's words alone: each is hashed to a few places, so that texts with common words are near
 * each other. The same text gives the same vector everywhere.
 */
export function toTestVector(text: string, dimension = testDimension): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2166136261;
    for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 16777619);
    for (let place = 0; place < 4; place += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 2246822507) + place;
      const at = (hash >>> 1) % dimension;
      vector[at] = (vector[at] as number) + ((hash & 1) === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
