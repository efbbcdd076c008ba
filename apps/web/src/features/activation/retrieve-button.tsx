import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'

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
