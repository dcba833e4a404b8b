/** The number on the icon of the installed app. It stays while the app is closed. */

/** Browsers without badges lack the functions. */
type BadgeNavigator = Partial<Pick<WorkerNavigator, "setAppBadge" | "clearAppBadge">>;

/** Shows a number on the icon; none for 0. */
export function showAppBadge(count: number): void {
  const badges: BadgeNavigator = navigator;
  const change = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.();
  // The browser refuses it in a private window.
  void change?.catch(() => undefined);
}
