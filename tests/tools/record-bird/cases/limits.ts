/** More routes than the import limit and the receive limit allow. */
import { establish, reconfigure } from "../actions.ts";
import { linkLocalPeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes, refusedRoutes } from "../routes.ts";
import type { RecorderCase, Scene } from "../scene.ts";
import type { RemoteSpeaker } from "../speakers.ts";

interface LimitCase {
  readonly name: string;
  /** The name of the recording after the announcement; the case's name if omitted. */
  readonly first?: string;
  /** Routes that the filter accepts, announced first. */
  readonly accepted: number;
  readonly refused: number;
  /** What happens after the first recording. */
  readonly after: (scene: Scene, speaker: RemoteSpeaker) => Promise<void>;
}

const updates = (count: number) => new RegExp(`Import updates: +${count} `);
const withdraws = (count: number) => new RegExp(`Import withdraws: +${count} `);

const limitCases: readonly LimitCase[] = [
  configured("limit-import-reached", 4000, 0),
  configured("limit-import-exceeded", 4506, 0),
  configured("limit-import-mixed", 4500, 1000),
  configured("limit-receive-reached", 0, 6000),
  configured("limit-receive-mixed", 3000, 3506),
  configured("limit-both-mixed", 4500, 2006),
  ...[true, false].flatMap((isConfigured): readonly LimitCase[] => [
    exceedAndWithdraw("limit-both-exceeded", acceptedRoutes, isConfigured),
    exceedAndWithdraw("limit-receive-exceeded", refusedRoutes, isConfigured),
  ]),
];

export const limitRecorderCases: readonly RecorderCase[] = limitCases.map(
  ({ name, first = name, accepted, refused, after }) => ({
    name,
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      const announced = [acceptedRoutes(0, accepted), refusedRoutes(0, refused)];
      await speaker.announce(...announced.filter(({ length }) => length > 0).map(linkLocalRoutes));
      await scene.record(first, { until: [updates(accepted + refused)] });
      await after(scene, speaker);
    },
  }),
);

/** Records the routes, and the same after `configure` of an unchanged configuration. */
function configured(name: string, accepted: number, refused: number): LimitCase {
  return {
    name,
    accepted,
    refused,
    after: async ({ bird, record }) => {
      await reconfigure(bird);
      await record(`${name}-configured`);
    },
  };
}

/**
 * Announces 6,506 routes of one kind. Then records what BIRD has after the neighbour withdrew the first 3,000 of them,
 * announced 10 routes that the filter accepts, withdrew everything, and announced 10 others.
 *
 * @param isConfigured whether the operator runs `configure` before the withdrawals
 */
function exceedAndWithdraw(
  kind: string,
  routes: (from: number, count: number) => readonly string[],
  isConfigured: boolean,
): LimitCase {
  const name = isConfigured ? `${kind}-configured` : kind;
  return {
    name,
    first: kind,
    accepted: routes === acceptedRoutes ? 6506 : 0,
    refused: routes === acceptedRoutes ? 0 : 6506,
    after: async ({ bird, record }, speaker) => {
      if (isConfigured) {
        await reconfigure(bird);
        await record(name);
      }
      await speaker.withdraw(routes(0, 3000));
      await record(`${name}-withdrawn-partly`, { until: [withdraws(3000)] });
      await speaker.announce(linkLocalRoutes(acceptedRoutes(6600, 10)));
      await record(`${name}-announced-more`, { until: [updates(6516)] });
      await speaker.withdraw([...routes(3000, 3506), ...acceptedRoutes(6600, 10)]);
      await record(`${name}-withdrawn`, { until: [withdraws(6516)] });
      await speaker.announce(linkLocalRoutes(acceptedRoutes(6700, 10)));
      await record(`${name}-announced-again`, { until: [updates(6526)] });
    },
  };
}
