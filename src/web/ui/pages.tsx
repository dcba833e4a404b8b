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
  /** True for the first caller only. */
  readonly isFirstPage: () => boolean;
}

interface Pages extends Visit {
  /** Whose site this is: the second part of every document title. */
  readonly site: string;
}

const PagesContext = createContext<Pages>({ site: "", isFirstPage: () => true });

function beginVisit(): Visit {
  let pages = 0;
  return { isFirstPage: () => pages++ === 0 };
}

/** Stands around the whole app, once. */
export function PagesProvider({ site, children }: { readonly site: string; readonly children: ReactNode }) {
  const [visit] = useState(beginVisit);
  const pages = useMemo(() => ({ ...visit, site }), [visit, site]);
  return <PagesContext value={pages}>{children}</PagesContext>;
}

/**
 * Names the document after the page, and moves the focus to the page's heading whenever another page appears,
 * as a browser does on a full load. The page that the browser itself opened keeps the focus where it is.
 */
export function usePageTitle(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { site, isFirstPage } = useContext(PagesContext);
  useEffect(() => {
    document.title = site === "" ? title : `${title} · ${site}`;
  }, [title, site]);
  useEffect(() => {
    if (!isFirstPage()) heading.current?.focus();
  }, [isFirstPage, title]);
  return heading;
}
