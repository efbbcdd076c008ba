import { Button } from '@clearwell/ui/components/button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { type ComponentType, useState } from 'react'
import { m } from '../generated/messages.ts'

const RetrieveSheet = lazySheet(() => import('./retrieve-sheet.tsx'))

/** Opens the sheet that looks a payment up by its hash. */
export function RetrieveButton({ sheet: Sheet = RetrieveSheet }: { sheet?: ComponentType<{ onClose: () => void }> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" icon="search" onClick={() => setOpen(true)}>
        {m.payment_retrieve()}
      </Button>
      {isOpen && <Sheet onClose={() => setOpen(false)} />}
    </>
  )
}
