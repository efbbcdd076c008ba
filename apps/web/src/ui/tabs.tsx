import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

/** Panels of which one is shown. The arrow keys move between the tabs. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly { value: Value; label: string; panel: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Base.List aria-label={label} className="mb-3 flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 border-b-2 border-transparent whitespace-nowrap text-muted outline-offset-[-2px] data-active:border-accent data-active:text-text"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
