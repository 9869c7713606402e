/** An MP3 file of so many seconds in which nothing is heard: empty frames of 26 ms at 128 kbit/s. */
export function silence(seconds: number): Uint8Array {
  const frame = new Uint8Array(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const count = Math.ceil((seconds * 44_100) / 1_152);
  return new Uint8Array(Buffer.concat(Array.from({ length: count }, () => frame)));
}
