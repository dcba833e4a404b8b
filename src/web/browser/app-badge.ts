/** Browsers without badges lack the functions. */
type BadgeNavigator = Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">>;

/** Shows a number on the icon of the installed app; none for 0. It stays while the app is closed. */
export function showAppBadge(count: number): void {
  const { navigator }: { readonly navigator: BadgeNavigator } = window;
  const change = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  // The browser refuses it in a private window.
  void change?.catch(() => undefined);
}
