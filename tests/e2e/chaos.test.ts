/** A few short ones of the random sequences that `npm run chaos:pwa` runs by the hundred. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draw, run } from "../chaos/sequence.ts";
import { prepareData } from "../chaos/world.ts";
import { repository } from "../setup/repository.ts";

const webDir = join(repository, "build/web");
let data: Awaited<ReturnType<typeof prepareData>>;

beforeAll(async () => {
  data = await prepareData(webDir);
});
afterAll(() => data[Symbol.asyncDispose]());

test.each([1, 2])("sequence %i breaks no promise", async (seed) => {
  const outcome = await run(draw(seed, 10), {
    versions: [webDir],
    data: data.folder,
    screenshot: join(tmpdir(), `peerdeck-chaos-${seed}.png`),
  });
  expect(outcome).toMatchObject({ fault: null });
});
