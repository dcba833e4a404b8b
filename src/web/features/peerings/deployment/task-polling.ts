/**
 * Polls the state of deployments.
 *
 * Invariants:
 * - The first poll of a task is sent at once, the following every five seconds, also while an earlier one hangs.
 * - A failed poll of any kind, 404 included, changes only what `usePollError` returns.
 * - A tab polls a task once per interval, however many of its components ask for it.
 * - Polls may overlap. A response is outdated if a later poll was answered before it, or if the event stream or another
 *   tab has delivered a state since its poll was sent. An outdated response is used only if the task has finished.
 */
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { anySignal } from "#browser-storage/timeout.ts";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { Task } from "#contract/lenient.ts";
import { call } from "#web/api/client.ts";
import { createAccountStore, createAppStore, useStore } from "#web/browser/store.ts";
import { broadcast } from "#web/browser/tabs.ts";
import { cacheTask, isFinished, taskQuery, type TaskReference, toTask } from "./task-queries.ts";

const pollIntervalMs = 5_000;
/** A poll that takes longer counts as failed. */
const pollTimeoutMs = 10_000;

const pollKeyPrefix = "task-poll";

/** One poll. Each poll is a query of its own, because React Query sends no second request while the first hangs. */
function pollQuery(username: string, reference: TaskReference, poll: number) {
  const { taskID } = reference;
  return queryOptions({
    queryKey: [pollKeyPrefix, username, taskID, poll],
    queryFn: async ({ signal }) => {
      const state = await call(
        calls.getTaskStatus,
        { username, taskID },
        {
          signal: anySignal(signal, AbortSignal.timeout(pollTimeoutMs)),
          headers: { "cache-control": "no-cache" },
        },
      );
      return toTask(reference, state);
    },
    retry: false,
    gcTime: 0,
    meta: { isFailureIgnored: true },
  });
}

interface Poller {
  subscribers: number;
  /** Ends the loader's subscription, which lasts until the screen subscribes. */
  endHandover?: (() => void) | undefined;
  /** Resolves when the first poll has ended, whether or not it failed. */
  readonly firstPoll: Promise<void>;
  readonly stop: () => void;
}

const pollers = createAppStore<ReadonlyMap<string, Poller>>(new Map());

/** By task ID: why the last poll failed. Tasks whose last poll succeeded have no entry. */
type PollErrors = ReadonlyMap<string, Error>;
const pollErrors = createAccountStore<PollErrors>();

/** Polls a task while `isEnabled`, caches its state and sends it to the other tabs. */
export function useTaskPolling(
  username: string,
  { taskID, node, type }: TaskReference,
  isEnabled: boolean,
): void {
  const client = useQueryClient();
  useEffect(
    () => (isEnabled ? subscribeToPolls(client, username, { taskID, node, type }) : undefined),
    [client, username, taskID, node, type, isEnabled],
  );
}

/** Why the last poll of a task in this tab failed; undefined if it succeeded, or none has ended. */
export function usePollError(username: string, taskID: string): Error | undefined {
  return useStore(pollErrors(useQueryClient())).get(username)?.get(taskID);
}

/** A loader stops its polls after this time if the screen of the task has not subscribed to them. */
const handoverMs = 3_000;

/** Loads the state of a task for its screen, unless it is cached. */
export async function loadTask(
  client: QueryClient,
  username: string,
  reference: TaskReference,
): Promise<void> {
  if (client.getQueryData(taskQuery(username, reference.taskID).queryKey)) return;
  const unsubscribe = subscribeToPolls(client, username, reference);
  const poller = pollers(client).get().get(keyOf(username, reference));
  if (!poller) return;
  const timer = setTimeout(() => poller.endHandover?.(), handoverMs);
  poller.endHandover = () => {
    clearTimeout(timer);
    poller.endHandover = undefined;
    unsubscribe();
  };
  await poller.firstPoll;
}

function keyOf(username: string, { taskID }: TaskReference): string {
  return `${username} ${taskID}`;
}

function subscribeToPolls(client: QueryClient, username: string, reference: TaskReference): () => void {
  const store = pollers(client);
  const key = keyOf(username, reference);
  const poller = store.get().get(key) ?? startPoller(client, username, reference);
  poller.subscribers += 1;
  store.set(new Map(store.get()).set(key, poller));
  poller.endHandover?.();
  return () => {
    poller.subscribers -= 1;
    if (poller.subscribers > 0) return;
    poller.stop();
    store.set(new Map([...store.get()].filter(([other]) => other !== key)));
  };
}

function startPoller(client: QueryClient, username: string, reference: TaskReference): Poller {
  const { taskID } = reference;
  let sent = 0;
  let lastAnswered = 0;
  let cachedByPolls = 0;
  let isStopped = false;

  /** How many states of the task have arrived from the event stream and from other tabs. */
  function countReceived(): number {
    const state = client.getQueryState(taskQuery(username, taskID).queryKey);
    return (state?.dataUpdateCount ?? 0) - cachedByPolls;
  }

  async function poll(): Promise<void> {
    sent += 1;
    const number = sent;
    const received = countReceived();
    let task: Task;
    try {
      task = await client.fetchQuery(pollQuery(username, reference, number));
    } catch (error) {
      // An older poll may fail after a newer one was answered.
      if (!isStopped && number > lastAnswered) setPollError(client, username, taskID, error as Error);
      return;
    }
    if (isStopped || (number < lastAnswered && !isFinished(task))) return;
    lastAnswered = Math.max(lastAnswered, number);
    setPollError(client, username, taskID, undefined);
    if (received !== countReceived() && !isFinished(task)) return;
    cachedByPolls += 1;
    cacheTask(client, username, task);
    broadcast({ type: "task", username, task });
    // The subscription of a loader lasts for a while after the task has finished.
    if (isFinished(task)) clearInterval(timer);
  }

  const timer = setInterval(() => void poll(), pollIntervalMs);
  return {
    subscribers: 0,
    firstPoll: poll(),
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      void client.cancelQueries({ queryKey: [pollKeyPrefix, username, taskID] });
    },
  };
}

function setPollError(client: QueryClient, username: string, taskID: string, error: Error | undefined): void {
  const store = pollErrors(client);
  const errors = store.get().get(username) ?? new Map<string, Error>();
  if (errors.get(taskID) === error) return;
  const rest = [...errors].filter(([other]) => other !== taskID);
  store.set(new Map(store.get()).set(username, new Map(error ? [...rest, [taskID, error]] : rest)));
}
