import { Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { parseJsonObject } from "@weft/schema";
import { useEffect, useRef } from "react";
import { chunksQuery } from "../../../api/document-stores.ts";
import { Blocks, Eye } from "../../../icons/icons.gen.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { TextLink } from "../../../ui/controls/links.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Section } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { ScrollRegion, SourceFailures } from "../source-failures.tsx";
import classes from "./loader.module.css";
import { draftKey, type LoaderToSend, type Preview, previewDraft } from "./loader-draft.ts";

const strings = documentStoresStrings.loader;

/** The chunks that a loader would make, before anything is stored; until they are asked for, those that it has. */
export function PreviewPanel({ loader, canPreview }: { loader: LoaderToSend; canPreview: boolean }) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn(tried: LoaderToSend) {
      const controller = new AbortController();
      running.current = controller;
      return previewDraft(tried, controller.signal);
    },
  });
  const isOutdated =
    data !== undefined && variables !== undefined && draftKey(variables.draft) !== draftKey(loader.draft);
  return (
    <Section
      title={strings.preview}
      text={canPreview ? strings.previewHelp : strings.incomplete}
      actions={
        <Action
          icon={Eye}
          label={strings.previewRun}
          loading={isPending}
          disabled={!canPreview}
          onClick={() => mutate(loader)}
        />
      }
    >
      <ErrorNotice error={error} />
      {data === undefined ? (
        <StoredChunks loader={loader} />
      ) : (
        <PreviewedChunks preview={data} isOutdated={isOutdated} />
      )}
    </Section>
  );
}

/** The first chunks that a loader has in its store. */
function StoredChunks({ loader: { storeId, loaderId = "" } }: { loader: LoaderToSend }) {
  const { data } = useQuery({ ...chunksQuery({ storeId, loaderId, page: 1 }), enabled: loaderId !== "" });
  if (data === undefined || data.count === 0) {
    return (
      <div className={classes.empty}>
        <Blocks size={24} strokeWidth={1.5} aria-hidden />
        <Text size="sm">{strings.previewEmpty}</Text>
      </div>
    );
  }
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {strings.previewStored({
            chunks: strings.previewTotal({
              isWhole: data.chunks.length === data.count,
              total: data.count,
              shown: data.chunks.length,
            }),
          })}
        </Text>
        <TextLink to="/document-stores/$storeId/loaders/$loaderId/chunks" params={{ storeId, loaderId }}>
          {documentStoresStrings.actions.chunks}
        </TextLink>
      </Group>
      <ChunkList
        chunks={data.chunks.map(({ pageContent, metadata }) => ({
          pageContent,
          metadata: parseJsonObject(metadata) ?? {},
        }))}
      />
    </>
  );
}

function PreviewedChunks({ preview, isOutdated }: { preview: Preview; isOutdated: boolean }) {
  const { chunks, totalChunks, failed, triedFiles } = preview;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" fw={500} role="status">
          {totalChunks === 0
            ? strings.previewNothing
            : strings.previewTotal({
                isWhole: chunks.length === totalChunks,
                total: totalChunks,
                shown: chunks.length,
              })}
        </Text>
        {isOutdated && <Hint>{strings.previewOutdated}</Hint>}
      </Group>
      {triedFiles !== undefined && <Hint>{strings.previewSome({ files: triedFiles })}</Hint>}
      <SourceFailures failures={failed} />
      {chunks.length > 0 && <ChunkList chunks={chunks} />}
    </>
  );
}

function ChunkList({ chunks }: Pick<Preview, "chunks">) {
  return (
    <ScrollRegion label={strings.preview} maxHeight={640}>
      <ol className={classes.chunks}>
        {chunks.map(({ pageContent, metadata }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
          <li key={index} className={classes.chunk}>
            <Hint size="xs">
              {documentStoresStrings.chunk.number({ number: index + 1 })} ·{" "}
              {documentStoresStrings.chunk.characters({ number: pageContent.length })}
              {typeof metadata.source === "string" && ` · ${metadata.source}`}
            </Hint>
            <div className={classes.text}>{pageContent}</div>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}
