import { useConfig } from '../api/config.ts'
import { Badge } from '../components/badge.tsx'
import { m } from '../generated/paraglide/messages.js'

/** Marks figures that simulated users made. Nothing without demo data. */
export function DemoMark() {
  return useConfig()?.demo ? <Badge>{m.account_simulated_users()}</Badge> : null
}
