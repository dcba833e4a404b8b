import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";

export interface FootNoticesProps {
  /** Live regions, each with its notices as children. */
  readonly children: ReactNode;
}

/**
 * What is said at the foot of every screen, one above the other. It stands at the end of the page and sticks to the
 * window's lower edge until one has scrolled there, so it hides nothing for good. Dialogs lie over it.
 */
export function FootNotices({ children }: FootNoticesProps) {
  const foot = useRef<HTMLDivElement>(null);
  useFocusInSight(foot);
  return (
    <chakra.div
      ref={foot}
      position="sticky"
      bottom="0"
      zIndex="sticky"
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      // However many there are, there is room left for the page.
      maxHeight="60dvh"
      overflowY="auto"
      pointerEvents="none"
      // The regions are always there, for screen readers; only what they say takes room.
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

/** Whoever goes through the page by keyboard sees where they are: beside the notices, and when one comes up. */
function useFocusInSight(foot: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { current } = foot;
    if (current === null) return;
    const { documentElement } = document;
    // A browser brings no more than its caret into sight when a text field gets the focus.
    const bringIntoSight = () => {
      const focused = document.activeElement;
      if (focused?.matches(":focus-visible") && isCovered(focused, current)) {
        focused.scrollIntoView({ block: "nearest" });
      }
    };
    const observer = new ResizeObserver(() => {
      documentElement.style.scrollPaddingBottom = `${current.offsetHeight}px`;
      bringIntoSight();
    });
    observer.observe(current);
    document.addEventListener("focusin", bringIntoSight);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", bringIntoSight);
      documentElement.style.scrollPaddingBottom = "";
    };
  }, [foot]);
}

/** What shows through below a notice is as good as covered by it. */
function isCovered(element: Element, foot: Element): boolean {
  if (foot.contains(element)) return false;
  const own = element.getBoundingClientRect();
  if (own.top >= window.innerHeight) return false;
  return [...foot.querySelectorAll(":scope > * > *")].some((notice) => {
    const { top, left, right } = notice.getBoundingClientRect();
    return own.bottom > top && own.left < right && own.right > left;
  });
}
