import { Modal, SimpleGrid, Title } from "@mantine/core";
import { canvasStrings } from "../../strings.ts";
import classes from "./help-sheet.module.css";

const { help } = canvasStrings;
const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

type Shortcut = [name: keyof typeof help.rows, ...keys: string[]];

const shortcuts: { group: "edit" | "canvas"; rows: Shortcut[] }[] = [
  {
    group: "edit",
    rows: [
      ["copy", "mod", "C"],
      ["cut", "mod", "X"],
      ["paste", "mod", "V"],
      ["duplicate", "mod", "D"],
      ["selectAll", "mod", "A"],
      ["delete", help.keys.delete],
      ["undo", "mod", "Z"],
      ["redo", "mod", "⇧", "Z"],
      ["save", "mod", "S"],
      ["goTo", "mod", "K"],
    ],
  },
  {
    group: "canvas",
    rows: [
      ["find", "mod", "F"],
      ["search", "/"],
      ["fit", "F"],
      ["connect", "C"],
      ["insert", "I"],
      ["tidyUp", "L"],
      ["move", "←", "↑", "→", "↓"],
      ["selectArea", "⇧", help.keys.drag],
      ["next", help.keys.tab],
      ["clear", help.keys.escape],
      ["help", "?"],
    ],
  },
];

export function HelpSheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={help.title} size="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {shortcuts.map(({ group, rows }) => (
          <section key={group}>
            <Title order={3} mb="xs">
              {help[group]}
            </Title>
            <dl className={classes.rows}>
              {rows.map(([name, ...keys]) => (
                <div key={name} className={classes.row}>
                  <dt>{help.rows[name]}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key === "mod" ? mod : key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
