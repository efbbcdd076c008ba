import { useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { lazySheet } from '../../ui/lazy-part.tsx'

const RetrieveSheet = lazySheet(() => import('./retrieve-sheet.tsx'))

/** For whoever paid and left the page: the payment is looked up by its hash. */
export function RetrieveButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" icon="history" onClick={() => setOpen(true)}>
        {m.activation_retrieve()}
      </Button>
      {open && <RetrieveSheet onClose={() => setOpen(false)} />}
    </>
  )
}
