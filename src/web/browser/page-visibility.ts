export interface VisibilityFollower {
  /** The page is visible: now, or again after `onHidden`. */
  readonly onVisible: () => void;
  /** The page has been hidden for `hiddenMs`, or was hidden from the start. */
  readonly onHidden: () => void;
  /** A participant who comes back sooner finds everything as it was. */
  readonly hiddenMs: number;
}

/** Reports whether the page is visible, the current state at once, until the returned function is called. */
export function followVisibility({ onVisible, onHidden, hiddenMs }: VisibilityFollower): () => void {
  let isReportedVisible = document.visibilityState !== "hidden";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    clearTimeout(timer);
    const isVisible = document.visibilityState !== "hidden";
    if (isVisible === isReportedVisible) return;
    if (isVisible) report(true);
    else timer = setTimeout(() => report(false), hiddenMs);
  };
  const report = (isVisible: boolean) => {
    isReportedVisible = isVisible;
    if (isVisible) onVisible();
    else onHidden();
  };
  document.addEventListener("visibilitychange", update);
  report(isReportedVisible);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", update);
  };
}
