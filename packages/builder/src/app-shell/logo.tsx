/** The mark: two threads that cross. Decoration; the name stands beside it. */
export function Logo({ size }: { size: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
