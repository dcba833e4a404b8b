/** A BGP speaker in a host's network namespace, started and controlled from this process. */
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { startHostProcess } from "../lab/host-process.ts";
import type { BgpSpeaker, BgpSpeakerOptions } from "./bgp-speaker.ts";
import type { SpeakerCall } from "./bgp-speaker-process.ts";

/** The methods of a speaker in another process: each returns a promise. */
export type RemoteSpeaker = {
  readonly [Name in Extract<keyof BgpSpeaker, string>]: (
    ...args: Parameters<BgpSpeaker[Name]>
  ) => Promise<Awaited<ReturnType<BgpSpeaker[Name]>>>;
} & AsyncDisposable;

/** Starts a speaker, which neither listens nor connects yet. It ends when it is disposed. */
export function startRemoteSpeaker(host: LabHost, options: BgpSpeakerOptions): RemoteSpeaker {
  const program = startHostProcess(host, "../support/bgp-speaker-process.ts", options);
  const call =
    <Name extends SpeakerCall["call"]>(name: Name) =>
    (...args: Parameters<BgpSpeaker[Name]>) =>
      program.call({ call: name, args }) as Promise<Awaited<ReturnType<BgpSpeaker[Name]>>>;
  return {
    listen: call("listen"),
    refuse: call("refuse"),
    connect: call("connect"),
    setMode: call("setMode"),
    setReading: call("setReading"),
    setOpen: call("setOpen"),
    waitFor: call("waitFor"),
    status: call("status"),
    announce: call("announce"),
    withdraw: call("withdraw"),
    endOfRib: call("endOfRib"),
    notify: call("notify"),
    sendRaw: call("sendRaw"),
    sendOpen: call("sendOpen"),
    close: call("close"),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
