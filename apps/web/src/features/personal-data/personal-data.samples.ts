import { DATA_GROUPS } from '@clearwell/api/personal-data.routes'
import type { ResponseOf } from '@clearwell/api/routes'

/** The groups as a server of the defaults has them. */
export const STORED: ResponseOf<'storedData'> = {
  groups: DATA_GROUPS.map((group) => ({
    group,
    days: { sessions: 30, devices: 1, alerts: 90, commands: 30 }[group as string] ?? null,
    can_erase: ['sessions', 'devices', 'notices', 'alerts'].includes(group),
  })),
}
