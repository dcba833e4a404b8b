/** A short random sequence, another one with each commit. `npm run chaos:pwa` runs hundreds of longer ones. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawSequence, runSequence } from "../tools/chaos/sequence.ts";
import { prepareData } from "../tools/chaos/environment.ts";
import { repository } from "../support/repository.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";

const webDir = join(repository, "build/web");
let data: Awaited<ReturnType<typeof prepareData>>;

beforeAll(async () => {
  data = await prepareData(webDir);
});
afterAll(() => data[Symbol.asyncDispose]());

test.each(oneOfCommit([1, 2, 3, 4]))("sequence %i violates no invariant", async (seed) => {
  const outcome = await runSequence(drawSequence(seed, 10), {
    versions: [webDir],
    data: data.folder,
    screenshot: join(tmpdir(), `peerdeck-chaos-${seed}.png`),
  });
  expect(outcome).toMatchObject({ failure: null });
});
