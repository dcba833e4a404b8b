import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";

/**
 * A page of somebody else's may run scripts, ask its own server, and open links in tabs of their own. It may
 * not steer our tab, open dialogs over it, or start downloads.
 */
const allowed = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";

/** With scripts and its origin, a page of our own host could reach into the app around it. */
function sandboxOf(src: string): string {
  const { origin } = window.location;
  return new URL(src, origin).origin === origin ? allowed : `${allowed} allow-same-origin`;
}

export interface PageFrameProps {
  /** An http(s) URL, or a path of our own host; the server's policy names its origin in `frame-src`. */
  readonly src: string;
  /** What it shows, for screen readers. */
  readonly title: string;
  /** In CSS pixels. */
  readonly height: number;
  /** Without a border of its own, for a panel that it fills to the edge. */
  readonly flush?: boolean;
}

/** Somebody else's page within ours. What stands in its place until it has loaded says whose it is. */
export function PageFrame({ src, title, height, flush = false }: PageFrameProps) {
  const [loaded, setLoaded] = useState(false);
  return (
    <chakra.div
      position="relative"
      boxSizing="content-box"
      overflow="hidden"
      bg="bg.panel"
      borderWidth={flush ? "0" : "1px"}
      borderRadius="lg"
      borderTopRadius={flush ? "0" : undefined}
      style={{ height }}
    >
      {!loaded && (
        <chakra.p
          role="status"
          position="absolute"
          inset="0"
          display="grid"
          placeItems="center"
          px="4"
          color="fg.muted"
        >
          Loading {title}…
        </chakra.p>
      )}
      <chakra.iframe
        src={src}
        title={title}
        sandbox={sandboxOf(src)}
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={() => setLoaded(true)}
        position="relative"
        display="block"
        width="full"
        height="full"
        opacity={loaded ? 1 : 0}
        // Many pages paint no ground of their own and count on the browser's white.
        bg="white"
        colorScheme="light"
      />
    </chakra.div>
  );
}
