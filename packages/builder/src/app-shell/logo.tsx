/** The logo: two crossing threads. Decorative; the name is next to it. */
export function Logo({ size }: { size: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
