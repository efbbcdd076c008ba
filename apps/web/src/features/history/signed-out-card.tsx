import { GatedButton } from '../../account/gated-button.tsx'
import { Card } from '../../components/card.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** What stands in the place of somebody's own entries until it is known whose. */
export function SignedOutCard({ text }: { text: string }) {
  return (
    <Card className="flex flex-col gap-4">
      <p>{text}</p>
      <GatedButton needs="session">{m.nav_connect()}</GatedButton>
    </Card>
  )
}
