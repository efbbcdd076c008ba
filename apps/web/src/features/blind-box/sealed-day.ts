import { stored } from '@clearwell/ui/browser/stored.ts'

/** The newest day of which this browser has seen a sealed box, until the day's root is noted. */
export const sealedDay = stored<string>({
  key: 'clearwell.box.sealed',
  scope: 'device',
  format: 'text',
  schema: (value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined),
})
