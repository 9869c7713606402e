import { Modal, SimpleGrid, Title } from "@mantine/core";
import { canvasStrings } from "../strings/canvas.ts";
import classes from "./help-sheet.module.css";

const { help } = canvasStrings;
const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

export function HelpSheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={help.title}
      size="lg"
      closeButtonProps={{ "aria-label": help.close }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {help.groups.map(({ title, rows }) => (
          <section key={title}>
            <Title order={3} mb="xs">
              {title}
            </Title>
            <dl className={classes.rows}>
              {rows.map(({ keys, text }) => (
                <div key={text} className={classes.row}>
                  <dt>{text}</dt>
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
