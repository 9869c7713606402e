/** Items of the same `list` are numbered together, level by level. Levels count from 0. */
export type ListItem = { list: string; level: number; isOrdered: boolean; start: number };

/** Markdown list markers: `- `, `1. `, indented below the text of the parent item. */
export function createListMarks() {
  const lists = new Map<string, number[]>();
  let widths: number[] = [];
  return {
    next({ list, level, isOrdered, start }: ListItem): string {
      const counts = (lists.get(list) ?? []).slice(0, level + 1);
      while (counts.length < level) counts.push(0);
      const count = (counts[level] ?? start - 1) + 1;
      counts[level] = count;
      lists.set(list, counts);
      const mark = isOrdered ? `${count}. ` : "- ";
      widths = widths.slice(0, level);
      const indent = widths.reduce((sum, width) => sum + width, 0);
      while (widths.length < level) widths.push(0);
      widths.push(mark.length);
      return " ".repeat(indent) + mark;
    },
    /** Something other than an item: the next item is indented no deeper than what follows it. */
    interrupt() {
      widths = [];
    },
  };
}
