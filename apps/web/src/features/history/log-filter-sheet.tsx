import { Button } from '@clearwell/ui/components/button.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { m } from '../../generated/messages.ts'
import type { LogFilter } from './log-filter.ts'
import { LogFilterForm } from './log-filter-form.tsx'

/** The filter of the balance log. Each change applies immediately, to the list behind the sheet. */
export default function LogFilterSheet({
  filter,
  onChange,
  onClose,
}: {
  filter: LogFilter
  onChange: (filter: LogFilter) => void
  onClose: () => void
}) {
  return (
    <Sheet title={m.history_logs_filter()} onClose={onClose}>
      <LogFilterForm filter={filter} onChange={onChange} />
      <SheetFoot>
        <Button onClick={onClose}>{m.history_logs_filter_show()}</Button>
      </SheetFoot>
    </Sheet>
  )
}
