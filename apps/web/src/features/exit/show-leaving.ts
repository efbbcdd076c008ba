import { showMessage } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { queryClient } from '../../api/query-client.ts'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'
import { stateText } from './leaving-text.ts'

/** Explains a command that was rejected because the account leaves: what still works, until when, and where to read more. */
export function showLeaving(error: Error): void {
  const exit = queryClient.getQueryData<Exit>(['proofExit', {}])
  void queryClient.invalidateQueries({ queryKey: ['proofExit'] })
  showMessage({
    title: errorText(error),
    text: sentences(m.ui_no_money_moved(), exit && exit.state !== 'none' ? stateText(exit) : m.exit_short_unknown()),
    link: { path: pathInLocale('/wallet/exit', currentLocale()), label: m.exit_banner_open() },
  })
}
