import { chakra } from "@chakra-ui/react/styled-system";
import { lazy, Suspense, useEffect, useState } from "react";
import { useProvider } from "../../api/provider.ts";
import { ExternalLink } from "../../ui/link.tsx";
import type { DrawnMapProps } from "./drawn-map.tsx";
import { MapLegend } from "./map-legend.tsx";
import { mapStyles } from "./map-styles.ts";

const DrawnMap = lazy(async () => {
  const { DrawnMap: component } = await import("./drawn-map.tsx");
  return { default: component };
});

export type WorldMapProps = Omit<DrawnMapProps, "touch">;

/** The map with what stands around it. */
export function WorldMap(props: WorldMapProps) {
  const { map: service } = useProvider();
  // Where fingers are what one has, one of them scrolls the page and two move the map.
  const [touch] = useState(() => window.matchMedia("(pointer: coarse)").matches);
  const painted = usePainted();
  return (
    <chakra.section
      aria-label="World map"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <chakra.div
        position="relative"
        height={{ base: "22rem", md: "27rem", lg: "30rem" }}
        css={mapStyles}
        data-outdated={props.outdated}
      >
        <Suspense>{painted && <DrawnMap {...props} touch={touch} />}</Suspense>
        {service.tiles !== "" && service.attribution !== "" && (
          <chakra.p
            position="absolute"
            insetEnd="0"
            bottom="0"
            px="1.5"
            bg="bg.panel"
            borderTopStartRadius="sm"
            fontSize="xs"
          >
            {service.attribution_url === "" ? (
              service.attribution
            ) : (
              <ExternalLink href={service.attribution_url}>{service.attribution}</ExternalLink>
            )}
          </chakra.p>
        )}
      </chakra.div>
      <MapLegend touch={touch} />
    </chakra.section>
  );
}

/**
 * True once the words around the map can be seen: the library that draws it is larger than the rest of the screen, and
 * a slow phone takes a while to run it.
 */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return painted;
}
