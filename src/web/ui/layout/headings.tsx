import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

interface Visit {
  /** Returns true on the first call only. */
  readonly claimFirstPage: () => boolean;
}

interface PageTitleState extends Visit {
  /** The second part of every document title. */
  readonly siteName: string;
}

const PageTitleContext = createContext<PageTitleState>({ siteName: "", claimFirstPage: () => true });

function createVisit(): Visit {
  let pages = 0;
  return { claimFirstPage: () => pages++ === 0 };
}

export interface PageTitleProviderProps {
  readonly siteName: string;
  readonly children: ReactNode;
}

/** Wraps the whole app, once. */
export function PageTitleProvider({ siteName, children }: PageTitleProviderProps) {
  const [visit] = useState(createVisit);
  const state = useMemo(() => ({ ...visit, siteName }), [visit, siteName]);
  return <PageTitleContext value={state}>{children}</PageTitleContext>;
}

/** Marks the field of a page that gets the focus. */
export const autoFocusAttribute = "data-autofocus";

/** A device with a mouse. On a touch screen the focus would open the keyboard, which covers the page's text. */
const finePointer = "(hover: hover) and (pointer: fine)";

/**
 * Sets the document title, and focuses the page's heading when another page is shown, as a browser does on a full
 * load. The first page of a visit leaves the focus where the browser put it.
 *
 * A page with a field that is marked focuses the field instead, on a device with a mouse. The form is named after the
 * page, so a screen reader says the heading first.
 *
 * @returns the ref of the heading to focus.
 */
export function usePageTitle(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { siteName, claimFirstPage } = useContext(PageTitleContext);
  useEffect(() => {
    document.title = siteName === "" ? title : `${title} · ${siteName}`;
  }, [title, siteName]);
  useEffect(() => {
    const isFirstPage = claimFirstPage();
    const field = window.matchMedia(finePointer).matches
      ? heading.current?.closest("main")?.querySelector<HTMLElement>(`[${autoFocusAttribute}]`)
      : null;
    if (isFirstPage && (!field || document.activeElement !== document.body)) return;
    (field ?? heading.current)?.focus();
  }, [claimFirstPage, title]);
  return heading;
}

/** The level of a page's heading: 1, or 2 inside a layout with its own `h1`. */
type HeadingLevel = 1 | 2;

const HeadingLevelContext = createContext<HeadingLevel>(1);

export const HeadingLevelProvider = HeadingLevelContext.Provider;

export function useHeadingLevel(): HeadingLevel {
  return useContext(HeadingLevelContext);
}
