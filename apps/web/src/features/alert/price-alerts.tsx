import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'

/** My alerts, and a new one on a market; its code loads when it is opened. */
export default lazySheet(() => import('./alert-sheet.tsx'))
