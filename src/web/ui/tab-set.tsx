import { TabsContent, TabsList, TabsRoot, TabsTrigger } from "@chakra-ui/react/tabs";
import type { ReactNode } from "react";

export interface TabSetProps<Value extends string> {
  /** What the tabs divide, for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly label: string; readonly content: ReactNode }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Only the chosen tab's content is mounted. */
export function TabSet<Value extends string>({ label, tabs, value, onChange }: TabSetProps<Value>) {
  return (
    <TabsRoot
      value={value}
      onValueChange={(details) => onChange(details.value as Value)}
      lazyMount
      unmountOnExit
      minWidth="0"
    >
      <TabsList
        aria-label={label}
        display="flex"
        gap="1"
        overflowX="auto"
        borderBottomWidth="1px"
        css={{ scrollbarWidth: "none" }}
      >
        {tabs.map((tab) => (
          <TabsTrigger
            key={tab.value}
            value={tab.value}
            px="3"
            py="2"
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
