/** An event stream whose events the test sends. */
export class StubEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: StubEventSource[] = [];
  readyState = 1;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StubEventSource.opened.push(this);
  }

  close() {
    this.readyState = StubEventSource.CLOSED;
  }

  say(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}
