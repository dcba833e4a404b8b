import { TabsContent, TabsList, TabsRoot, TabsTrigger } from "@chakra-ui/react/tabs";
import { type ReactNode, useEffect, useRef } from "react";

export interface TabsProps<Value extends string> {
  /** Names the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly label: string; readonly content: ReactNode }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/**
 * Only the selected tab's content is mounted. A selection may take effect later, when the content is loaded; until then
 * another tab, the selected one included, can be chosen instead.
 */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const requested = useRef(value);
  const selectedIndex = tabs.findIndex((tab) => tab.value === value);
  useEffect(() => {
    if (list.current) scrollToTab(list.current, selectedIndex);
  }, [selectedIndex]);
  useEffect(() => {
    requested.current = value;
  }, [value]);
  const request = (next: Value) => {
    requested.current = next;
    onChange(next);
  };
  return (
    <TabsRoot
      value={value}
      onValueChange={(details) => request(details.value as Value)}
      // `onValueChange` is silent about a return to the selected tab.
      onFocusChange={(details) => {
        if (details.focusedValue === value && requested.current !== value) request(value);
      }}
      lazyMount
      unmountOnExit
      minWidth="0"
    >
      <TabsList
        ref={list}
        aria-label={label}
        position="relative"
        display="flex"
        columnGap={{ base: "0.5", sm: "1" }}
        overflowX="auto"
        borderBottomWidth="1px"
        css={{ scrollbarWidth: "none" }}
      >
        {tabs.map((tab) => (
          <TabsTrigger
            key={tab.value}
            value={tab.value}
            px={{ base: "1", sm: "3" }}
            py={{ base: "2.5", sm: "2" }}
            fontSize={{ base: "sm", sm: "md" }}
            mb="-1px"
            flexShrink={0}
            whiteSpace="nowrap"
            fontWeight="medium"
            color="fg.muted"
            borderBottomWidth="2px"
            borderColor="transparent"
            cursor="pointer"
            _hover={{ color: "fg" }}
            _selected={{ color: "fg", borderColor: "accent" }}
            _focusVisible={{ outlineOffset: "-2px" }}
          >
            {tab.label}
          </TabsTrigger>
        ))}
      </TabsList>
      {tabs.map((tab) => (
        <TabsContent key={tab.value} value={tab.value} pt="5" outline="none">
          {tab.content}
        </TabsContent>
      ))}
    </TabsRoot>
  );
}

/** Scrolls the list sideways until the tab is visible. `scrollIntoView` would scroll the page as well. */
function scrollToTab(list: HTMLElement, index: number): void {
  const tab = list.children[index];
  if (!(tab instanceof HTMLElement)) return;
  const end = tab.offsetLeft + tab.offsetWidth;
  if (tab.offsetLeft < list.scrollLeft) list.scrollLeft = tab.offsetLeft;
  else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth;
}
