import { m } from '../generated/paraglide/messages.js'
import { EmptyState } from '../ui/empty-state.tsx'
import { Screen } from '../ui/screen.tsx'

/** A part of the product that is not open yet, under its own title. */
export function NotOpenScreen({ title }: { title: string }) {
  return (
    <Screen title={title}>
      <EmptyState icon="layers" title={m.not_open_text()} text={m.not_open_hint()} />
    </Screen>
  )
}
