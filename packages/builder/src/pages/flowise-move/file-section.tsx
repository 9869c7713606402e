import { FileButton, Group, Progress, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FlowiseImport } from "@weft/client";
import { client } from "../../api/client.ts";
import { FileUp } from "../../icons/icons.gen.ts";
import { flowiseMoveStrings as strings } from "../../strings.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { formatSize } from "../../ui/content/format.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Section } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { showState, type Upload, useUpload } from "./flowise-import-query.ts";

type UploadedFile = NonNullable<FlowiseImport["file"]>;

type Props = { file: UploadedFile | null; isBusy: boolean };

const command = `npm run -s import-flowise -- --database ~/.flowise/database.sqlite \\
  --key ~/.flowise/encryption.key --storage ~/.flowise/storage --dry-run`;

/** Uploads the database or the export, goes on with an upload that was interrupted, and removes it. */
export function FileSection({ file, isBusy }: Props) {
  const { start, running, error } = useUpload();
  const isComplete = file !== null && file.receivedBytes === file.sizeBytes && running === undefined;
  return (
    <Section title={strings.file} text={isComplete ? undefined : strings.fileText}>
      {running !== undefined ? (
        <Uploading upload={running} />
      ) : (
        <>
          {file !== null && <Text size="sm">{describe(file)}</Text>}
          <ErrorNotice error={error} />
          <Buttons {...{ file, isBusy, start }} />
        </>
      )}
      {file === null && running === undefined && (
        <div>
          <Hint mb={6}>{strings.commandText}</Hint>
          <CodeBlock text={command} />
        </div>
      )}
    </Section>
  );
}

function describe({ name, sizeBytes, receivedBytes }: UploadedFile): string {
  if (receivedBytes === sizeBytes) return strings.complete({ name, size: formatSize(sizeBytes) });
  return strings.incomplete({ received: formatSize(receivedBytes), size: formatSize(sizeBytes), name });
}

function Uploading({ upload }: { upload: NonNullable<Upload["running"]> }) {
  const { name, sentBytes, sizeBytes, isLost, stop } = upload;
  return (
    <>
      <div>
        <Progress value={(sentBytes / sizeBytes) * 100} size="md" aria-label={strings.uploading({ name })} />
        <Text size="sm" mt={6}>
          {strings.uploaded({ sent: formatSize(sentBytes), size: formatSize(sizeBytes) })}
        </Text>
      </div>
      <Hint role="status">{isLost ? strings.lost : strings.uploadGoesOn}</Hint>
      <Group>
        <Action label={strings.stopUpload} onClick={stop} />
      </Group>
    </>
  );
}

type ButtonsProps = Props & Pick<Upload, "start">;

function Buttons({ file, isBusy, start }: ButtonsProps) {
  const remove = useMutation({ mutationFn: () => client.cancelFlowiseImport(), onSuccess: showState });
  const isComplete = file !== null && file.receivedBytes === file.sizeBytes;
  const choose = (chosen: File | null) => {
    if (chosen === null) return;
    const isSame = file !== null && file.name === chosen.name && file.sizeBytes === chosen.size;
    start(chosen, isSame ? file.receivedBytes : 0);
  };
  return (
    <>
      <ErrorNotice error={remove.error} />
      <Group>
        {!isComplete && (
          <FileButton accept=".sqlite,.sqlite3,.db,.json" onChange={choose}>
            {(props) => (
              <Action
                {...props}
                icon={FileUp}
                label={file === null ? strings.choose : strings.chooseAgain}
                variant="filled"
              />
            )}
          </FileButton>
        )}
        {file !== null && <Action label={strings.remove} disabled={isBusy} runs={remove} />}
      </Group>
    </>
  );
}
