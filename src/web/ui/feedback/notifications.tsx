import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

export interface NotificationsProps {
  /** Live regions, each with its notifications as children. */
  readonly children: ReactNode;
}

/**
 * Stacks notifications at the bottom of every screen. They are the last element of the page and stick to the lower
 * edge of the window until the page is scrolled to its end, so they never cover content for good. Dialogs are above.
 */
export function Notifications({ children }: NotificationsProps) {
  const region = useRef<HTMLDivElement>(null);
  useKeepFocusVisible(region);
  return (
    <chakra.div
      ref={region}
      position="sticky"
      bottom="0"
      zIndex="sticky"
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      // Leaves room for the page, however many there are.
      maxHeight="60dvh"
      overflowY="auto"
      pointerEvents="none"
      // Screen readers need the live regions to exist in advance; only their content takes space.
      css={{
        "&:has(> * > *)": { pt: "3" },
        "& > *": { px: { base: "3", md: "5" } },
        "& > * > *": { mb: "3", pointerEvents: "auto" },
      }}
    >
      {children}
    </chakra.div>
  );
}

/** Scrolls the focused element out from under the notifications, for keyboard users (WCAG 2.2, 2.4.11). */
function useKeepFocusVisible(region: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { current } = region;
    if (current === null) return;
    const { documentElement } = document;
    // When a text field receives the focus, browsers scroll only its caret into view.
    const scrollFocusIntoView = () => {
      const focused = document.activeElement;
      if (focused?.matches(":focus-visible") && isCovered(focused, current)) {
        focused.scrollIntoView({ block: "nearest" });
      }
    };
    const observer = new ResizeObserver(() => {
      documentElement.style.scrollPaddingBottom = `${current.offsetHeight}px`;
      scrollFocusIntoView();
    });
    observer.observe(current);
    // Content that is loaded later moves the focused element.
    observer.observe(document.body);
    document.addEventListener("focusin", scrollFocusIntoView);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", scrollFocusIntoView);
      documentElement.style.scrollPaddingBottom = "";
    };
  }, [region]);
}

/** An element also counts as covered when it starts above a notification and ends below its upper edge. */
function isCovered(element: Element, region: Element): boolean {
  if (region.contains(element)) return false;
  const box = element.getBoundingClientRect();
  if (box.top >= window.innerHeight) return false;
  return [...region.querySelectorAll(":scope > * > *")].some((notification) => {
    const { top, left, right } = notification.getBoundingClientRect();
    return box.bottom > top && box.left < right && box.right > left;
  });
}

export interface OfflineNoticeProps {
  readonly shown: boolean;
  /** False on a screen that shows nothing from the server, for example a form. */
  readonly hasData: boolean;
}

/** A live region that says, on every screen, when the server is unreachable. */
export function OfflineNotice({ shown, hasData }: OfflineNoticeProps) {
  return (
    <chakra.div role="status" justifySelf="center">
      {shown && (
        <chakra.p
          display="flex"
          alignItems="center"
          gap="2"
          px="3.5"
          py="2"
          fontSize="sm"
          color="fg"
          bg="issues.subtle"
          borderWidth="1px"
          borderColor="issues"
          borderRadius="lg"
          boxShadow="panel"
        >
          <chakra.span color="issues" flexShrink="0">
            <CloudOff />
          </chakra.span>
          No connection to the server.{hasData && " Showing the last known data."}
        </chakra.p>
      )}
    </chakra.div>
  );
}

/** Inline because the home page has no other icon: this keeps the icon library out of the first bundle. */
function CloudOff() {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
    >
      <path d="M4.6 12.5a2.9 2.9 0 0 1-.5-5.75 4.1 4.1 0 0 1 7.8-.6 3.2 3.2 0 0 1 .5 6.3M2.5 2.5l11 11" />
    </svg>
  );
}
