import type { Client } from "@weft/client";
import { describedAnswers, type Say } from "../../packages/builder/src/described/map-answers.ts";
import { openTestStorage } from "../../packages/database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../packages/server/src/testing/test-platform.ts";

/** The texts that the server describes what it offers with, each with the components that have it. */
export type DescribedTexts = ReadonlyMap<string, ReadonlySet<string>>;

/** Asks a platform over an empty folder what it offers, as the builder does, and collects what the builder translates. */
export async function readDescribed(): Promise<DescribedTexts> {
  const hooks: (() => Promise<void>)[] = [];
  const after = (hook: () => Promise<void>) => void hooks.push(hook);
  try {
    const { client } = await openTestPlatform({ after }, { createTestStorage: (t) => openTestStorage("sqlite", t) });
    return await collect(client);
  } finally {
    for (const hook of hooks) await hook();
  }
}

async function collect(client: Client): Promise<DescribedTexts> {
  const texts = new Map<string, Set<string>>();
  const say: Say = (text, context) => {
    if (/\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ""))) texts.set(text, (texts.get(text) ?? new Set()).add(context));
    return text;
  };
  for (const [operation, map] of Object.entries(describedAnswers)) {
    const answer = await client[operation as keyof typeof describedAnswers]();
    (map as (answer: unknown, say: Say) => unknown)(answer, say);
  }
  return texts;
}
